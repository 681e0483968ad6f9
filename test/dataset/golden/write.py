"""Writes the files beside this script with pyarrow, a writer that hefix does not use itself.

    pip install pyarrow && python write.py

good/ holds the same two rows in every form that is read, and tasks.json what they must become;
bad/ holds files that are refused, and for each what its error must begin with, in a .json file written by hand.
"""
import gzip, json, pathlib
import pyarrow as pa, pyarrow.parquet as pq

here = pathlib.Path(__file__).resolve().parent
good, bad = here / "good", here / "bad"
text = (good / "rows.jsonl").read_text()
rows = [json.loads(line) for line in text.splitlines()]


def parquet(path, rows, **options):
    pq.write_table(pa.Table.from_pylist(rows), path, **options)


for codec in ["snappy", "gzip", "zstd", "brotli", "lz4", "none"]:
    parquet(good / f"{codec}.parquet", rows, compression=codec)
parquet(good / "no-dictionary.parquet", rows, use_dictionary=False)
parquet(good / "data-pages-v2.parquet", rows, data_page_version="2.0", compression="zstd")
parquet(good / "delta.parquet", rows, use_dictionary=False, column_encoding={"test": "DELTA_BYTE_ARRAY", "prompt": "DELTA_LENGTH_BYTE_ARRAY"})
parquet(good / "two-row-groups.parquet", rows, row_group_size=1)
(good / "packed.jsonl.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
(good / "windows.jsonl").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n\r\n").encode())


def jsonl(name, *lines):
    (bad / name).write_text("".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))


def without(row, column):
    return {key: value for key, value in row.items() if key != column}


first, second = rows
jsonl("no-rows.jsonl", "\n", "  \n")
jsonl("bad-json.jsonl", first, '{"task_id": "Python/901", \n')
jsonl("not-an-object.jsonl", first, "\n", "[1, 2]\n")
jsonl("missing-column.jsonl", first, without(second, "buggy_solution"))
jsonl("wrong-type.jsonl", first, {**second, "test": ["assert is_even(4)"]})
jsonl("null-column.jsonl", {**first, "declaration": None})
jsonl("empty-column.jsonl", first, {**second, "test": ""})
jsonl("duplicate-id.jsonl", first, second, first)
jsonl("mixed-languages.jsonl", first, {**second, "task_id": "Java/901"})
(bad / "not-utf8.jsonl").write_bytes(text.encode("latin-1", "replace"))
(bad / "not-gzip.jsonl.gz").write_text(text)
(bad / "cut-off.jsonl.gz").write_bytes((good / "packed.jsonl.gz").read_bytes()[:-200])
(bad / "flipped-bit.jsonl.gz").write_bytes(bytes(b ^ (i == 400) for i, b in enumerate((good / "packed.jsonl.gz").read_bytes())))

(bad / "not-parquet.parquet").write_text(text)
whole = (good / "snappy.parquet").read_bytes()
(bad / "cut-off.parquet").write_bytes(whole[: len(whole) // 2])
(bad / "only-magic.parquet").write_bytes(b"PAR1PAR1")
(bad / "no-footer.parquet").write_bytes(b"PAR1" + bytes(40) + b"PAR1")
(bad / "footer-too-long.parquet").write_bytes(whole[:-8] + b"\xff\xff\xff\x7f" + b"PAR1")
(bad / "pages-overwritten.parquet").write_bytes(whole[:4] + bytes(600) + whole[604:])
pq.write_table(pa.Table.from_pylist(rows).slice(0, 0), bad / "no-rows.parquet")
parquet(bad / "missing-column.parquet", [without(row, "test") for row in rows])
parquet(bad / "number-column.parquet", [{**row, "entry_point": 7} for row in rows])
parquet(bad / "list-column.parquet", [{**row, "docstring": ["a"]} for row in rows])
