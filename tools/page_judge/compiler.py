"""A compiler from the judge's own files to the smaller Python that runs in a page (MicroPython).

The files keep to a plain dialect (:mod:`.dialect`; ``docs/page-judge.md`` lists it).  Whatever the
compiler does not know is refused with the file, the line and the idiom, so that a change of the
judge that would go wrong in a page already goes wrong when the bundle is built.

Two things are matters of meaning.  Dictionaries there are not ordered, so every dictionary becomes
an ordered one; and sorting there is not stable, so sorting with a key goes through the library.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tools.page_judge.dialect import (
    CLASS_DECORATORS,
    DROPPED_METHODS,
    ERASED,
    KNOWN_SPECIAL,
    LIBRARY,
    MODULES,
    OWN_MODULES,
    SET_METHODS,
    TEXT_METHODS,
    TYPE_FORMS,
    UNKNOWN_BUILTINS,
    UNKNOWN_METHODS,
    UNKNOWN_NODES,
    UnknownIdiom,
)
from tools.page_judge.patterns import UnknownPattern, write_match
from tools.page_judge.records import RECORD_BASE, Traits, list_fields, write_methods


def compile_file(
    text: str, path: str, known_modules: Iterable[str], constants: Mapping[str, int] | None = None
) -> str:
    """Return the source of a file as the page runs it.

    ``path`` names the file in errors; ``known_modules``: the modules of the package that the
    bundle has; ``constants``: by name, the value that a constant of the file has in the page.

    Raises:
        UnknownIdiom: the file has something that the page does not.
    """
    compiler = _Compiler(path, frozenset(known_modules), dict(constants or {}))
    tree: ast.Module = compiler.visit(ast.parse(text, path))
    if compiler.constants:
        raise UnknownIdiom(path, 1, f"no constant {', '.join(compiler.constants)}")
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    used = _list_names(others) | compiler.exported
    kept = [checked for node in imports for checked in compiler.keep_import(node, used)]
    helpers = sorted(compiler.helpers)
    if helpers:
        kept.insert(
            0, ast.ImportFrom(LIBRARY, [ast.alias(name, f"page{name}") for name in helpers], 0)
        )
    module = ast.Module([*kept, *others], [])
    return ast.unparse(ast.fix_missing_locations(module)) + "\n"


def _list_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return every name that a piece of code refers to."""
    return {found.id for node in nodes for found in ast.walk(node) if isinstance(found, ast.Name)}


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(_name(function), list(arguments), [])


def _head(node: ast.AST) -> str:
    """Return the name of a decorator or base: of ``dataclass(...)`` and ``dataclass`` alike."""
    if isinstance(node, ast.Call):
        return _head(node.func)
    if isinstance(node, ast.Subscript):
        return _head(node.value)
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


class _Compiler(ast.NodeTransformer):
    """The compiler of one file; ``helpers``: the names of the library that the result needs."""

    def __init__(self, path: str, known_modules: frozenset[str], constants: dict[str, int]) -> None:
        self.path = path
        self.known_modules = known_modules
        self.constants = constants
        self.helpers: set[str] = set()
        self.modules: set[str] = set()
        self.exported: set[str] = set()
        self.matches = 0
        self.line = 1
        self.walked: set[ast.expr] = set()

    def refuse(self, node: ast.AST, idiom: str, instead: str = "") -> UnknownIdiom:
        """Return the error that a piece of code is not of the dialect."""
        return UnknownIdiom(self.path, getattr(node, "lineno", self.line), idiom, instead)

    def help(self, name: str) -> str:
        """Return the name of a helper of the library, which the file will import."""
        self.helpers.add(name)
        return f"page{name}"

    def visit(self, node: ast.AST) -> Any:
        self.line = getattr(node, "lineno", self.line)
        unknown = UNKNOWN_NODES.get(type(node).__name__)
        if unknown is not None:
            raise self.refuse(node, unknown)
        return super().visit(node)

    # -- imports -----------------------------------------------------------------------------------

    def keep_import(self, node: ast.stmt, used: set[str]) -> list[ast.stmt]:
        """Return an import with the names that are used, none if there are none.

        Raises:
            UnknownIdiom: the page does not have what is imported.
        """
        if isinstance(node, ast.Import):
            return [
                self._check_module(node, alias)
                for alias in node.names
                if (alias.asname or alias.name.split(".")[0]) in used
            ]
        assert isinstance(node, ast.ImportFrom)
        wanted = [alias for alias in node.names if (alias.asname or alias.name) in used]
        module = node.module or ""
        if not wanted or (module == LIBRARY):
            return [] if not wanted else [node]
        if node.level or (module.startswith("alexmagnum") and module not in self.known_modules):
            raise self.refuse(node, f"the module {module}", "the bundle does not have it")
        if module.startswith("alexmagnum"):
            return [ast.ImportFrom(module, wanted, 0)]
        for alias in wanted:
            if alias.name not in MODULES.get(module, ()):
                raise self.refuse(node, f"{alias.name} of the module {module}")
        kept = [alias for alias in wanted if alias.name not in ERASED]
        return [ast.ImportFrom(LIBRARY, kept, 0)] if kept else []

    def _check_module(self, node: ast.Import, alias: ast.alias) -> ast.stmt:
        if alias.name not in MODULES:
            raise self.refuse(node, f"the module {alias.name}")
        name = alias.asname or alias.name
        own = f"page_{alias.name}"
        return ast.Import([ast.alias(own if alias.name in OWN_MODULES else LIBRARY, name)])

    def visit_Import(self, node: ast.Import) -> Any:
        self.modules.update(alias.name for alias in node.names if alias.name in MODULES)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        """Keep an import as it is: those at the top of a file are checked when all is compiled."""
        return node

    def visit_If(self, node: ast.If) -> Any:
        if _head(node.test) == "TYPE_CHECKING":
            return None
        return self.generic_visit(node)

    # -- annotations and docstrings ----------------------------------------------------------------

    def visit_Module(self, node: ast.Module) -> Any:
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        value = node.value
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            return None
        if isinstance(value, ast.Call) and (
            _head(value) == "seal" or ast.unparse(value.func) == "copyreg.pickle"
        ):
            return None
        return self.generic_visit(node)

    def visit_arguments(self, node: ast.arguments) -> Any:
        node.args = [*node.posonlyargs, *node.args]
        node.posonlyargs = []
        for argument in [*node.args, *node.kwonlyargs, node.vararg, node.kwarg]:
            if argument is not None:
                argument.annotation = None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if "overload" in map(_head, node.decorator_list):
            return None
        node.decorator_list = [d for d in node.decorator_list if _head(d) not in ERASED]
        node.returns = None
        self.generic_visit(node)
        lazy = [n for n in node.body if isinstance(n, ast.Import | ast.ImportFrom)]
        used = _list_names(n for n in node.body if n not in lazy)
        node.body = [
            kept for n in node.body for kept in (self.keep_import(n, used) if n in lazy else [n])
        ] or [ast.Pass()]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> Any:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            if target.id == "__all__":
                self.exported.update(ast.literal_eval(node.value))
                return None
            if target.id == "__slots__" or _is_type_alias(target.id, node.value):
                return None
            if target.id in self.constants:
                node.value = ast.Constant(self.constants.pop(target.id))
            elif _is_union(target.id, node.value):
                node.value = _call(self.help("_union"), *_list_union(node.value))
                return node
        return self.generic_visit(node)

    # -- classes -----------------------------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        bases = [_head(base) for base in node.bases]
        if "Protocol" in bases:
            return ast.parse(f"class {node.name}: pass").body
        traits = self._read_traits(node, bases)
        extra: list[ast.stmt] = []
        own = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} - DROPPED_METHODS
        if traits is not None:
            fields = list_fields(node.body)
            extra = [self.visit(n) for n in write_methods(fields, traits, own)]
            if traits.is_tuple:
                self.help("_replace")
            node.body = [
                n
                for n in node.body
                if not isinstance(n, ast.AnnAssign) or "ClassVar" in ast.unparse(n.annotation)
            ]
        kept = [base for base in node.bases if _head(base) not in ("NamedTuple", "ABC", "Generic")]
        node.bases = [base.value if isinstance(base, ast.Subscript) else base for base in kept]
        if traits is not None and not node.bases and "__repr__" not in own:
            node.bases = [_name(self.help(RECORD_BASE))]
        if "__lt__" in own or (traits is not None and traits.is_tuple):
            # Sorting there asks for both.
            extra += ast.parse("def __gt__(self, other):\n    return other < self").body
        lazies = self._rename_lazies(node)
        node.decorator_list = [d for d in node.decorator_list if _head(d) not in CLASS_DECORATORS]
        if node.decorator_list:
            raise self.refuse(node, f"a class decorated with {_head(node.decorator_list[0])}")
        node.body = [
            n
            for n in node.body
            if not (isinstance(n, ast.FunctionDef) and n.name in DROPPED_METHODS)
        ]
        self.generic_visit(node)
        node.body = [*node.body, *extra, *lazies] or [ast.Pass()]
        return node

    def _read_traits(self, node: ast.ClassDef, bases: list[str]) -> Traits | None:
        """Return the methods that a record's class gets; None if it is no record."""
        if "NamedTuple" in bases:
            return Traits(hashes=True, is_tuple=True)
        for decorator in node.decorator_list:
            if _head(decorator) == "dataclass":
                keywords = decorator.keywords if isinstance(decorator, ast.Call) else []
                options = {k.arg or "": ast.literal_eval(k.value) for k in keywords}
                unknown = sorted(options.keys() - {"eq", "frozen", "init", "repr", "slots"})
                if unknown:
                    raise self.refuse(node, f"dataclass({unknown[0]}=...)")
                eq = options.get("eq", True)
                return Traits(options.get("init", True), eq, eq and options.get("frozen", False))
        return None

    def _rename_lazies(self, node: ast.ClassDef) -> list[ast.stmt]:
        """Rename the methods of cached properties, and return what works them out once."""
        names = []
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and "cached_property" in map(
                _head, method.decorator_list
            ):
                names.append(method.name)
                method.name = f"_lazy_{method.name}"
        if not names:
            return []
        return ast.parse(
            "def __getattr__(self, name):\n"
            + "".join(
                f"    if name == {name!r}:\n"
                f"        self.{name} = self._lazy_{name}()\n"
                f"        return self.{name}\n"
                for name in names
            )
            + "    raise AttributeError(name)"
        ).body

    # -- statements --------------------------------------------------------------------------------

    def visit_Match(self, node: ast.Match) -> Any:
        self.matches += 1
        try:
            written = write_match(node, f"_matched{self.matches}")
        except UnknownPattern as error:
            raise self.refuse(node, str(error)) from None
        visited: list[ast.stmt] = []
        for statement in written:
            result = self.visit(ast.fix_missing_locations(ast.copy_location(statement, node)))
            visited += result if isinstance(result, list) else [result] if result else []
        return visited

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Turn ``a |= b`` into a call where ``a`` may be a dictionary."""
        if isinstance(node.op, ast.BitOr) and isinstance(node.value, ast.Dict | ast.DictComp):
            self.generic_visit(node)
            update = ast.Attribute(_as_load(node.target), "update", ast.Load())
            return ast.Expr(ast.Call(update, [node.value], []))
        return self.generic_visit(node)

    # -- expressions -------------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        if node.id == "dict":
            node.id = self.help("_dict")
        if node.id == "RecursionError":
            node.id = "RuntimeError"
        if isinstance(node.ctx, ast.Load) and node.id in UNKNOWN_BUILTINS:
            raise self.refuse(node, f"the builtin {node.id}")
        return node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if ast.unparse(node) == "tuple.__new__":
            return _name(self.help("_new_tuple"))
        if node.attr == "__getitem__":
            return _call(self.help("_getter"), self.visit(node.value))
        if node.attr.startswith("__") and node.attr not in KNOWN_SPECIAL:
            raise self.refuse(node, f"the attribute {node.attr}")
        module = _head(node.value) if isinstance(node.value, ast.Name) else ""
        if module in self.modules and node.attr not in MODULES[module]:
            raise self.refuse(node, f"{node.attr} of the module {module}")
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        """Write an f-string as ``"...".format(...)``: nesting and quotes are then no matter."""
        template, arguments = _read_f_string(node, self.refuse)
        made = ast.Call(ast.Attribute(ast.Constant(template), "format", ast.Load()), arguments, [])
        return self.generic_visit(made)

    def visit_Call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Subscript) and _head(node.func) in TYPE_FORMS:
            node.func = node.func.value  # list[str]() makes a list
        function = node.func
        self.walked.update(node.args)
        if isinstance(function, ast.Name):
            return self._compile_function_call(node, function)
        if isinstance(function, ast.Attribute):
            return self._compile_method_call(node, function)
        return self.generic_visit(node)

    def _compile_function_call(self, node: ast.Call, function: ast.Name) -> ast.AST:
        name = function.id
        if name == "cast":
            kept: ast.AST = self.visit(node.args[1])
            return kept
        if name == "isinstance":
            node.args[1] = _as_tuple(node.args[1])
        if name == "zip":
            node.keywords = [k for k in node.keywords if k.arg != "strict"]
        if name == "sorted" and node.keywords:
            function.id = self.help("_sorted")
        if name == "bytes" and len(node.args) > 1:
            raise self.refuse(node, "bytes with an encoding")
        return self.generic_visit(node)

    def _compile_method_call(self, node: ast.Call, function: ast.Attribute) -> ast.AST:
        name, owner = function.attr, function.value
        if name == "__setattr__":
            node = _call("setattr", *node.args)
        elif name == "sort" and node.keywords:
            node = ast.Call(_name(self.help("_sort")), [owner, *node.args], node.keywords)
        elif name == "fromkeys":
            node = _call(self.help("_fromkeys"), *node.args)
        elif name == "keys" and node not in self.walked:
            # Compared and subtracted, the keys of a dictionary are a set: there they are not.
            self.generic_visit(function)
            return _call("set", ast.Call(function, [], []))
        elif name == "split" and [k.arg for k in node.keywords] == ["maxsplit"]:
            separator = node.args or [ast.Constant(None)]
            node.args, node.keywords = [*separator, node.keywords[0].value], []
        elif name in TEXT_METHODS:
            node = _call(self.help(f"_{name}"), owner, *node.args)
        elif name in UNKNOWN_METHODS:
            raise self.refuse(node, f"the method {name}")
        elif name in SET_METHODS and [isinstance(arg, ast.Starred) for arg in node.args] != [False]:
            raise self.refuse(node, f"{name} of several sets")
        return self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in TYPE_FORMS:
            raise self.refuse(node, f"the type {ast.unparse(node)} in code that runs")
        self.generic_visit(node)
        cut = node.slice
        if isinstance(cut, ast.Slice) and cut.step is not None:
            if not isinstance(node.ctx, ast.Load):
                raise self.refuse(node, "a change of a slice with a step")
            nothing = ast.Constant(None)
            parts = [cut.lower or nothing, cut.upper or nothing, cut.step]
            return _call(self.help("_slice"), node.value, *parts)
        return node

    def visit_For(self, node: ast.For) -> Any:
        self.walked.add(node.iter)
        return self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> Any:
        self.walked.add(node.iter)
        return self.generic_visit(node)

    # -- displays with stars, and dictionaries -----------------------------------------------------

    def _join_starred(
        self, node: ast.List | ast.Tuple | ast.Set, make: str, kind: Callable[..., ast.expr]
    ) -> Any:
        """Write a display with stars as a sum: there such a display is not known."""
        self.generic_visit(node)
        if isinstance(getattr(node, "ctx", None), ast.Store) or not any(
            isinstance(element, ast.Starred) for element in node.elts
        ):
            return node
        parts: list[ast.expr] = []
        run: list[ast.expr] = []
        for element in node.elts:
            if isinstance(element, ast.Starred):
                parts += [kind(run)] if run else []
                parts.append(_call(make, element.value))
                run = []
            else:
                run.append(element)
        parts += [kind(run)] if run else []
        total = parts[0]
        for part in parts[1:]:
            total = ast.BinOp(total, ast.Add(), part)
        return total

    def visit_List(self, node: ast.List) -> Any:
        return self._join_starred(node, "list", lambda run: ast.List(run, ast.Load()))

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return self._join_starred(node, "tuple", lambda run: ast.Tuple(run, ast.Load()))

    def visit_Set(self, node: ast.Set) -> Any:
        joined = self._join_starred(node, "list", lambda run: ast.List(run, ast.Load()))
        return joined if isinstance(joined, ast.Set) else _call("set", joined)

    def visit_Dict(self, node: ast.Dict) -> Any:
        self.generic_visit(node)
        if None in node.keys:
            parts = [
                value if key is None else ast.Tuple([key, value], ast.Load())
                for key, value in zip(node.keys, node.values, strict=True)
            ]
            return _call(self.help("_merge"), *parts)
        make = self.help("_dict")
        if not node.keys:
            return _call(make)
        pairs: list[ast.expr] = [
            ast.Tuple([key, value], ast.Load())
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
        return _call(make, ast.Tuple(pairs, ast.Load()))

    def visit_DictComp(self, node: ast.DictComp) -> Any:
        self.generic_visit(node)
        pair = ast.Tuple([node.key, node.value], ast.Load())
        return _call(self.help("_dict"), ast.GeneratorExp(pair, node.generators))


def _as_load(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


def _as_tuple(node: ast.expr) -> ast.expr:
    """Return the kinds of an ``isinstance`` as a tuple: ``list | dict`` is one there."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return ast.Tuple(_list_union(node), ast.Load())
    return node


def _list_union(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [*_list_union(node.left), *_list_union(node.right)]
    return [node]


def _is_union(name: str, value: ast.expr) -> bool:
    """Tell whether an assignment names a union of classes: ``RetreatOrder = Retreat | Disband``."""
    return (
        isinstance(value, ast.BinOp)
        and isinstance(value.op, ast.BitOr)
        and name[:1].isupper()
        and not name.isupper()
        and all(isinstance(part, ast.Name) for part in _list_union(value))
    )


def _is_type_alias(name: str, value: ast.expr) -> bool:
    """Tell whether an assignment names a type that only annotations use."""
    if isinstance(value, ast.Call) and _head(value) in ("TypeVar", "ParamSpec"):
        return True
    is_form = isinstance(value, ast.Subscript) and _head(value) in TYPE_FORMS
    return is_form and name.lstrip("_")[:1].isupper() and not name.isupper()


def _read_f_string(
    node: ast.JoinedStr, refuse: Callable[..., UnknownIdiom]
) -> tuple[str, list[ast.expr]]:
    """Return the template and the arguments that make an f-string by ``format``."""
    template, arguments = "", []
    for part in node.values:
        if isinstance(part, ast.Constant):
            template += str(part.value).replace("{", "{{").replace("}", "}}")
            continue
        assert isinstance(part, ast.FormattedValue)
        conversion = f"!{chr(part.conversion)}" if part.conversion != -1 else ""
        spec = ""
        if part.format_spec is not None:
            spec = ":" + "".join(
                str(ast.literal_eval(piece))
                if isinstance(piece, ast.Constant)
                else _refuse_spec(refuse(node, "a format that is worked out"))
                for piece in getattr(part.format_spec, "values", ())
            )
        template += "{" + conversion + spec + "}"
        arguments.append(part.value)
    return template, arguments


def _refuse_spec(error: UnknownIdiom) -> str:
    raise error
