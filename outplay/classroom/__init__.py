"""The classroom: assignments over the lectures, graded in a sandbox with the textbook as the oracle, and contests of players.

outplay classroom new alphabeta --out hw2      what a course needs: page, student's file, visible tests, rubric, notebook, staff
side
outplay classroom grade hw2                    every file in hw2/submissions, each in a sandbox, with feedback
outplay classroom contest cup                  a fixed ladder and a league; only what changed is played again
"""
