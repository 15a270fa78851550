"""The start of the judge in a page: one function that answers a request given as a text."""

import gc

import page_json
from alexmagnum.board.load import add_board
from alexmagnum.page_judge.board_data import read_board
from alexmagnum.page_judge.handler import PageJudge

_judge = PageJudge()


def start(board_text, lang):
    board = read_board(page_json.loads(board_text))
    add_board(board)
    _judge.lang = lang
    board.tables


def answer(request_text):
    return page_json.dumps(_judge.reply(page_json.loads(request_text)))


def used_memory():
    gc.collect()
    return gc.mem_alloc()
