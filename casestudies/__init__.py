"""Published systems to hold our figures against; tables.py writes the tables of their READMEs."""
