"""Thousands of games by bots: plans, runs on one machine or a cluster, and tables of results.

The libraries that this room needs come with ``pip install 'alexmagnum[lab]'``; nothing else of the
package imports it.
"""
