"""Independent writers: TFRecord frames with a check sum worked out bit by bit, Examples through Google's protobuf."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from stepscope.core.archives import cells, gzip_access

Value = list[bytes] | list[int] | list[float]


@pytest.fixture(autouse=True)
def nothing_held_open() -> Iterator[None]:
    yield
    gzip_access.close_all()
    cells.close_all()


def crc32c(data: bytes) -> int:
    """Castagnoli's sum from its polynomial (RFC 3720, appendix B.4)."""
    value = 0xFFFFFFFF
    for octet in data:
        value ^= octet
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


def framed(data: bytes) -> bytes:
    def masked(part: bytes) -> bytes:
        value = crc32c(part)
        return struct.pack("<I", ((value >> 15) + (value << 17) + 0xA282EAD8) % (1 << 32))

    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


@pytest.fixture(scope="session")
def tfrecord() -> Callable[..., bytes]:
    """A TFRecord file's bytes of the given records."""
    return lambda *records: b"".join(map(framed, records))


@pytest.fixture(scope="session")
def example_class() -> Any:
    """The message class tf.train.Example, made by Google's runtime from a description."""
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName("stepscope.test.Example"))


@pytest.fixture(scope="session")
def example(example_class: Any) -> Callable[..., bytes]:
    """An Example's bytes of features by name."""

    def written(features: dict[str, Value]) -> bytes:
        message = example_class()
        for name, values in features.items():
            feature = message.features.feature[name]
            if values and isinstance(values[0], bytes):
                feature.bytes_list.value.extend(values)
            elif values and isinstance(values[0], float):
                feature.float_list.value.extend(values)
            else:
                feature.int64_list.value.extend(values)
        return message.SerializeToString(deterministic=True)

    return written


def _pool() -> descriptor_pool.DescriptorPool:
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="example.proto", package="stepscope.test", syntax="proto3")
    one, many, message = field.LABEL_OPTIONAL, field.LABEL_REPEATED, field.TYPE_MESSAGE

    def add(name: str, *fields: tuple[str, int, int, int, str]) -> descriptor_pb2.DescriptorProto:
        made = file.message_type.add(name=name)
        for label, number, kind, often, of in fields:
            whole = f".stepscope.test.{of}" if of else None
            made.field.add(name=label, number=number, type=kind, label=often, type_name=whole)
        return made

    add("BytesList", ("value", 1, field.TYPE_BYTES, many, ""))
    add("FloatList", ("value", 1, field.TYPE_FLOAT, many, ""))
    add("Int64List", ("value", 1, field.TYPE_INT64, many, ""))
    feature = add(
        "Feature",
        ("bytes_list", 1, message, one, "BytesList"),
        ("float_list", 2, message, one, "FloatList"),
        ("int64_list", 3, message, one, "Int64List"),
    )
    feature.oneof_decl.add(name="kind")
    for part in feature.field:
        part.oneof_index = 0
    features = add("Features", ("feature", 1, message, many, "Features.FeatureEntry"))
    entry = features.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    entry.field.add(name="key", number=1, type=field.TYPE_STRING, label=one)
    entry.field.add(name="value", number=2, type=message, label=one, type_name=".stepscope.test.Feature")
    add("Example", ("features", 1, message, one, "Features"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return pool
