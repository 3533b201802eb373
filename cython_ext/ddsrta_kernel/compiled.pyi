from ddsrta_kernel.solver import Solver as Solver

LAYOUT: int
