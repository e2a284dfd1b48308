# The autograded cell of an assignment worth 5 points; nbgrader takes its last expression for the points.
import solver

report = solver.verify(best_move, "3,3,3")
print(report)
5 * float(report)
