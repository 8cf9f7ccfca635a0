# SPDX-License-Identifier: MIT
"""What `pip install .` runs: CMake builds the module, and the files it installs become a wheel.

A backend of its own (PEP 517) because it needs nothing from the network: CMake, a compiler and the
libraries come from the system (scripts/debian-packages.txt, scripts/test-packages.txt).

Settings, as pip's --config-settings KEY=VALUE:
  build-folder   where CMake builds (build/pip); one that knows the module already is used as it is
"""

import base64
import hashlib
import os
import pathlib
import re
import stat
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = "Rigid bodies that dent when they are hit"
REQUIRES_PYTHON = ">=3.9"
REQUIRES = ("numpy",)
OLDEST_DATE = (1980, 1, 1, 0, 0, 0)  # Of a file in a zip: the same sources, the same wheel.


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"^project\(ductile VERSION ([\d.]+)", text, re.MULTILINE)[1]


def tag():
    """For this Python on this machine: what it links is the system's."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = re.sub(r"\W", "_", sysconfig.get_platform())
    return f"{python}-{python}-{platform}"


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: ductile", f"Version: {version()}",
             f"Summary: {SUMMARY}", "License: MIT", f"Requires-Python: {REQUIRES_PYTHON}",
             *(f"Requires-Dist: {name}" for name in REQUIRES)]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", readme])


def call(*command):
    """Runs a command, its output shown where pip is told to be verbose."""
    subprocess.run([str(word) for word in command], check=True, stdout=sys.stderr)


def has_module(folder):
    """True if a build folder is configured, and pybind11 and Python's headers were there then."""
    ninja = folder / "build.ninja"
    return ninja.is_file() and "ductile_python" in ninja.read_text(encoding="utf-8")


def configure(folder):
    """A folder that was configured before the packages were there is configured again, with what
    it was told then."""
    if has_module(folder):
        return
    told = ["-DDUCTILE_BUILD_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"]
    if not (folder / "build.ninja").is_file():
        told += ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DDUCTILE_BUILD_TESTS=OFF",
                 "-DDUCTILE_UNITY=ON", "-DDUCTILE_PRECOMPILE=ON"]
    call("cmake", "-S", ROOT, "-B", folder, *told)
    if not has_module(folder):
        sys.exit("ductile: CMake found no pybind11 or no headers of Python (Debian: pybind11-dev, "
                 "python3-dev). Install them and try again: nothing needs to be deleted")


def build(folder):
    configure(folder)
    call("cmake", "--build", folder, "--target", "ductile_python", "ductile_import")


def installed_files(folder):
    """{path in the wheel: bytes} of what CMake installs: the package, and the importer that it
    starts, which goes where programs go."""
    files = {}
    with tempfile.TemporaryDirectory() as name:
        prefix = pathlib.Path(name)
        call("cmake", "--install", folder, "--prefix", prefix, "--component", "python")
        for path in sorted(prefix.rglob("*")):
            if path.is_file():
                inside = path.relative_to(prefix).as_posix()
                files[inside[inside.index("ductile/"):]] = path.read_bytes()
    importer = folder / "bin" / "ductile-import"
    files[f"ductile-{version()}.data/scripts/ductile-import"] = importer.read_bytes()
    return files


def digest(data):
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def write_wheel(path, files):
    info = f"ductile-{version()}.dist-info"
    files = {**files, f"{info}/METADATA": metadata().encode(),
             f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
             f"{info}/WHEEL": (f"Wheel-Version: 1.0\nGenerator: ductile\nRoot-Is-Purelib: false\n"
                               f"Tag: {tag()}\n").encode()}
    record = [f"{name},{digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, OLDEST_DATE)
            mode = 0o755 if "/scripts/" in name else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            wheel.writestr(entry, data, zipfile.ZIP_DEFLATED)


# ---- what PEP 517 asks for ----------------------------------------------------------------------


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    chosen = (config_settings or {}).get("build-folder", ROOT / "build" / "pip")
    folder = pathlib.Path(os.path.join(ROOT, chosen))
    build(folder)
    name = f"ductile-{version()}-{tag()}.whl"
    write_wheel(pathlib.Path(wheel_directory) / name, installed_files(folder))
    return name


def build_sdist(sdist_directory, config_settings=None):
    """The sources as git has them."""
    base = f"ductile-{version()}"
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], check=True,
                            capture_output=True).stdout.decode().split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{base}.tar.gz", "w:gz") as archive:
        for name in sorted(name for name in listed if (ROOT / name).is_file()):
            archive.add(ROOT / name, f"{base}/{name}")
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
            info.write(metadata())
            info.flush()
            archive.add(info.name, f"{base}/PKG-INFO")
    return f"{base}.tar.gz"
