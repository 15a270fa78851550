"""When Python searches for garbage: in a page as always, for it has little room."""


class pause_collection:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return False
