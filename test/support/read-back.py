"""
Reads exports as Parquet and XLSX with pyarrow, DuckDB, Polars and openpyxl, and compares them with NDJSON.
The type "exact" is a sum: a number with all its digits.
The argument is a JSON file: a list of {name, columns: [[name, type]], ndjson, parquet, xlsx: path or null, csv: path of
what LibreOffice made of the workbook, or null}.
Prints the differences as a JSON list of texts.
"""

import csv
import datetime
import decimal
import json
import math
import re
import sys

import duckdb
import openpyxl
import polars
import pyarrow
import pyarrow.parquet

EPOCH = datetime.datetime(1970, 1, 1)
TYPES = {
    "integer": ("int64", "BIGINT", "Int64"),
    "decimal": ("double", "DOUBLE", "Float64"),
    "boolean": ("bool", "BOOLEAN", "Boolean"),
    "date": ("date32[day]", "DATE", "Date"),
    "string": ("string", "VARCHAR", "String"),
    "micros": ("timestamp[us, tz=UTC]", "TIMESTAMP WITH TIME ZONE", "Datetime(time_unit='us', time_zone='UTC')"),
    "nanos": ("timestamp[ns, tz=UTC]", None, "Datetime(time_unit='ns', time_zone='UTC')"),
}
differences = []


def differ(where, found, wanted):
    if found == wanted:
        return
    if isinstance(found, list) and len(found) == len(wanted):
        row = next(i for i, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1])
        differences.append(f"{where}, row {row}: {found[row]!r}, not {wanted[row]!r}")
    elif isinstance(found, list):
        differences.append(f"{where}: {len(found)} rows, not {len(wanted)}")
    else:
        differences.append(f"{where}: {found!r}, not {wanted!r}")


def fraction(text):
    return text[20:-1]


def instant(text, digits):
    seconds = datetime.datetime.fromisoformat(text[:19]) - EPOCH
    return (seconds.days * 86400 + seconds.seconds) * 10**digits + int(fraction(text).ljust(digits, "0")[:digits] or 0)


def places_of(values):
    """Digits before and behind the point of the longest numbers."""
    parts = [plain(value).lstrip("-").split(".") for value in values if value is not None]
    return (
        max([1] + [len(part[0]) for part in parts]),
        max([0] + [len(part[1]) for part in parts if len(part) > 1]),
    )


def exact_types(values):
    scale = places_of(values)[1]
    return f"decimal128(38, {scale})", f"DECIMAL(38,{scale})", f"Decimal(precision=38, scale={scale})"


def double(value):
    """Infinite where a mean was rounded up beyond the largest."""
    return float(decimal.Decimal(value))


def plain(value):
    return format(decimal.Decimal(value), "f")


def kind_of(kind, values):
    if kind == "exact":
        whole, scale = places_of(values)
        if whole + scale > 38:
            return "plain"
        return kind
    if kind != "datetime":
        return kind
    texts = [value for value in values if value is not None]
    digits = max([len(fraction(text)) for text in texts], default=0)
    if digits <= 6:
        return "micros"
    years = [text[:4] for text in texts]
    return "nanos" if digits <= 9 and min(years) >= "1678" and max(years) < "2262" else "string"


def stored(kind, value):
    if value is None or kind in ("integer", "boolean", "string"):
        return value
    if kind == "exact":
        return decimal.Decimal(value)
    if kind == "plain":
        return plain(value)
    if kind == "decimal":
        return double(value)
    if kind == "date":
        return datetime.date.fromisoformat(value)
    return instant(value, 6 if kind == "micros" else 9)


def check_parquet(case, values):
    path = case["parquet"]
    names = [name for name, _ in case["columns"]]
    arrow = pyarrow.parquet.read_table(path)
    kinds = [kind_of(kind, values[i]) for i, (_, kind) in enumerate(case["columns"])]
    if case["name"].endswith("_groups"):
        # Instants are stored as those of the whole column, which these are some of.
        stored_as = {types[0]: kind for kind, types in TYPES.items()}
        moments = [kind == "datetime" for _, kind in case["columns"]]
        kinds = [stored_as[str(arrow.schema.field(i).type)] if moments[i] else kind for i, kind in enumerate(kinds)]
    polar = polars.read_parquet(path)
    duck = duckdb.sql(f"SELECT * FROM '{path}'")
    for reader, columns in (("pyarrow", arrow.column_names), ("polars", polar.columns), ("duckdb", duck.columns)):
        differ(f"{case['name']}, {reader}, names", tuple(columns), tuple(names))
    chosen = [f'epoch_us("{n}")' if k == "micros" else f'epoch_ns("{n}")' if k == "nanos" else f'"{n}"' for n, k in zip(names, kinds)]
    rows = duckdb.sql(f"SELECT {', '.join(chosen)} FROM '{path}'").fetchall()
    for i, (name, kind) in enumerate(zip(names, kinds)):
        where = f"{case['name']}, {name}"
        wanted = [stored(kind, value) for value in values[i]]
        types = exact_types(values[i]) if kind == "exact" else TYPES["string" if kind == "plain" else kind]
        series = polar[name]
        differ(f"{where}, type of pyarrow", str(arrow.schema.field(i).type), types[0])
        if types[1] is not None:
            differ(f"{where}, type of duckdb", str(duck.types[i]), types[1])
        differ(f"{where}, type of polars", str(series.dtype), types[2])
        timed = kind in ("micros", "nanos")
        column = arrow.column(i).cast(pyarrow.int64()) if timed else arrow.column(i)
        differ(f"{where}, pyarrow", column.to_pylist(), wanted)
        differ(f"{where}, polars", (series.to_physical() if timed else series).to_list(), wanted)
        found = [row[i] for row in rows]
        if kind == "nanos" and str(duck.types[i]) == "TIMESTAMP WITH TIME ZONE":
            # DuckDB has no nanoseconds with a time zone.
            found = [v if v is None else v // 1000 for v in found]
            wanted = [v if v is None else v // 1000 for v in wanted]
        differ(f"{where}, duckdb", found, wanted)


def cell(kind, value):
    if value is None or kind in ("boolean", "string"):
        return value
    if kind == "exact":
        digits = plain(value).lstrip("-").replace(".", "").lstrip("0")
        return plain(value) if len(digits) > 15 else float(value)
    if kind == "integer":
        return str(value) if len(str(abs(value))) > 15 else value
    if kind == "decimal":
        size = abs(double(value))
        return repr(double(value)) if size != 0 and not 1e-307 < size < 1e307 else double(value)
    if value < "1900-03-01" or (kind == "datetime" and len(fraction(value)) > 3):
        return value
    return datetime.datetime.fromisoformat(value.rstrip("Z"))


def decoded(value):
    """openpyxl leaves the escapes of ECMA-376, part 1, 22.9.2.19."""
    if not isinstance(value, str):
        return value
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda match: chr(int(match[1], 16)), value)


def check_xlsx(case, values):
    book = openpyxl.load_workbook(case["xlsx"], read_only=True)
    header, *rows = book["data"].iter_rows(values_only=True)
    differ(f"{case['name']}, openpyxl, names", header, tuple(name for name, _ in case["columns"]))
    for i, (name, kind) in enumerate(case["columns"]):
        found = [decoded(row[i]) for row in rows]
        wanted = [cell(kind, value) for value in values[i]]
        if kind == "decimal":
            # openpyxl reads a number without a point as a whole one.
            found = [double(v) if isinstance(v, int) else v for v in found]
            # Groups write what no spreadsheet holds without an exponent.
            found = [repr(float(v)) if isinstance(v, str) else v for v in found]
        if kind == "string":
            # openpyxl reads an empty text as none.
            found, wanted = [v or None for v in found], [v or None for v in wanted]
        differ(f"{case['name']}, {name}, openpyxl", found, wanted)
        truths = sum(isinstance(v, bool) for v in found)
        differ(f"{case['name']}, {name}, booleans", truths, sum(isinstance(v, bool) for v in wanted))
    book.close()


def shown(kind, value):
    """A cell as LibreOffice writes it into CSV."""
    typed = cell(kind, value)
    if typed is None:
        return ""
    if isinstance(typed, bool):
        return str(typed).upper()
    if kind == "date":
        return value
    if isinstance(typed, datetime.datetime):
        return value[:19].replace("T", " ") + (fraction(value) and "." + fraction(value).ljust(3, "0"))
    return str(typed).replace("\r\n", "\n").replace("\r", "\n")


def as_wanted(found, wanted):
    """LibreOffice writes numbers with 15 digits."""
    return wanted if found and wanted and math.isclose(float(found), float(wanted), rel_tol=1e-14) else found


def check_csv(case, values):
    with open(case["csv"], encoding="utf8", newline="") as lines:
        header, *rows = csv.reader(lines)
    differ(f"{case['name']}, LibreOffice, names", header, [name for name, _ in case["columns"]])
    # What is empty at the end is left out.
    rows += [[]] * (len(values[0]) - len(rows))
    for i, (name, kind) in enumerate(case["columns"]):
        found = [row[i] if i < len(row) else "" for row in rows]
        wanted = [shown(kind, value) for value in values[i]]
        # It reads most carriage returns as line feeds, and leaves some.
        found = [text.replace("\r\n", "\n").replace("\r", "\n") for text in found]
        if kind in ("decimal", "exact"):
            found = [as_wanted(*pair) for pair in zip(found, wanted)]
        differ(f"{case['name']}, {name}, LibreOffice", found, wanted)


csv.field_size_limit(2**20)
for case in json.load(open(sys.argv[1], encoding="utf8")):
    with open(case["ndjson"], encoding="utf8", newline="\n") as lines:
        rows = [json.loads(line, parse_float=decimal.Decimal) for line in lines]
    values = [[row[name] for row in rows] for name, _ in case["columns"]]
    check_parquet(case, values)
    if case["xlsx"] is not None:
        check_xlsx(case, values)
    if case["csv"] is not None:
        check_csv(case, values)
print(json.dumps(differences))
