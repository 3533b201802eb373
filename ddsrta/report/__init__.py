"""What people and their tools see of a result: tables, JSON, HTML, JUnit, SARIF, annotations."""
