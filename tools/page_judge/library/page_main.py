"""The start of the judge in a page: one function that answers a request given as a text."""

import gc

import js
import page_json
from alexmagnum.board.map_file import set_board
from alexmagnum.page_judge import PageJudge, read_board

_judges = []


def start(board_text, lang):
    data = page_json.loads(board_text)
    board = read_board(data)
    set_board(board, data["own_switches"])
    judge = PageJudge(lang, board)
    judge.progress = _show_progress
    _judges[:] = [judge]


def _show_progress(data):
    js.showProgress(page_json.dumps(data))


def answer(request_text):
    return page_json.dumps(_judges[0].reply(page_json.loads(request_text)))


def used_memory():
    gc.collect()
    return gc.mem_alloc()
