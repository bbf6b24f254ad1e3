"""A store over TLS: the right authority is believed, the wrong one is refused with what to do."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import URL, make_url

from stepscope.core.errors import StoreError
from stepscope.core.store.engine import Database

PASSWORD = "s3cret/of:me@50%"


def openssl(*arguments: object) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def authority(folder: Path, name: str) -> Path:
    """A certificate by which others are signed."""
    file = folder / f"{name}.crt"
    openssl(
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
        "-addext", "basicConstraints=critical,CA:TRUE", "-keyout", folder / f"{name}.key", "-out", file,
    )  # fmt: skip
    return file


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the authority `ours`, its certificate of 127.0.0.1 (`server`), and the authority `theirs`."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    folder = tmp_path_factory.mktemp("tls")
    ours = authority(folder, "ours")
    authority(folder, "theirs")
    (folder / "names").write_text("subjectAltName=IP:127.0.0.1\n")
    request = folder / "server.csr"
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=store", "-keyout", folder / "server.key",
            "-out", request)  # fmt: skip
    openssl("x509", "-req", "-in", request, "-CA", ours, "-CAkey", folder / "ours.key", "-CAcreateserial",
            "-days", "2", "-extfile", folder / "names", "-out", folder / "server.crt")  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def store(certificates: Path, postgresql_servers: Any) -> Iterator[URL]:
    """The address of a store on a server that speaks TLS."""
    with postgresql_servers() as server:
        for name in ("server.crt", "server.key"):
            place = Path(shutil.copy(certificates / name, server.folder / "data" / name))
            place.chmod(0o600)
            if os.geteuid() == 0:
                shutil.chown(place, "postgres", "postgres")
        server.execute("ALTER SYSTEM SET ssl = on", "SELECT pg_reload_conf()")
        with server.database() as url:
            yield make_url(server.url(make_url(url).database, password=PASSWORD))


def opened(store: URL, **query: object) -> Database:
    address = store.update_query_dict({name: str(value) for name, value in query.items()})
    return Database.open(address.render_as_string(hide_password=False))


def test_the_right_authority_is_believed_and_what_is_said_is_hidden(store: URL, certificates: Path) -> None:
    used = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
    trusting = opened(store, sslmode="verify-full", sslrootcert=certificates / "ours.crt")
    with trusting as database, database.reading() as db:
        assert db.connection().exec_driver_sql(used).scalar_one() is True


def test_another_authority_is_refused_with_what_to_do(store: URL, certificates: Path) -> None:
    with pytest.raises(StoreError, match="not who it says it is") as caught:
        opened(store, sslmode="verify-full", sslrootcert=certificates / "theirs.crt")
    assert "certificate verify failed" in caught.value.message
    assert "sslrootcert" in caught.value.hint
    assert not caught.value.of_absence
    assert PASSWORD not in str(caught.value)


def test_another_name_is_refused_with_what_to_do(store: URL, certificates: Path) -> None:
    with pytest.raises(StoreError, match=r"not who it says it is.*does not match") as caught:
        opened(
            store.set(host="localhost"), sslmode="verify-full", sslrootcert=certificates / "ours.crt",
            hostaddr="127.0.0.1",
        )  # fmt: skip
    assert "sslrootcert" in caught.value.hint


def test_a_missing_certificate_is_told(store: URL, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"not who it says it is.*does not exist"):
        opened(store, sslmode="verify-full", sslrootcert=tmp_path / "none.crt")


def test_a_server_without_tls_is_refused_where_it_is_asked_for(postgresql: Any) -> None:
    with postgresql.store() as url, pytest.raises(StoreError, match="does not speak TLS") as caught:
        opened(make_url(postgresql.url(make_url(url).database, password=PASSWORD)), sslmode="require")
    assert "ssl = on" in caught.value.hint
    assert not caught.value.of_absence
