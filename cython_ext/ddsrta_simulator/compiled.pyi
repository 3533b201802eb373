from ddsrta_simulator.simulator import Engine as Engine

LAYOUT: int
