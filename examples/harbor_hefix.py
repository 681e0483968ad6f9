"""Runs hefix as an agent of Harbor (Terminal-Bench).

    pip install harbor                          # needs Python 3.12 or newer
    npm pack                                    # in the checkout of hefix: writes hefix-0.1.0.tgz
    PYTHONPATH=examples harbor run --path <task> --agent harbor_hefix:Hefix --ak tarball=hefix-0.1.0.tgz

hefix repairs what tests or the docstrings' examples prove wrong. It does not read the instruction of a task, so a task
suits it if its files hold such tests. The container needs a way to the npm registry while hefix is installed; Node.js
and npm are installed by the container's package manager if they are missing.
"""
import json
import shlex
from pathlib import Path
from typing import Optional

from harbor.agents.installed.base import BaseInstalledAgent
from harbor.agents.options import InstalledAgentOptions
from pydantic import Field

#: Where the tarball lies in the container.
TARBALL = "/installed-agent/hefix.tgz"
#: What `hefix fix --json` says about a repair that is worth a place in the result of a trial.
REPORTED = ("outcome", "judge", "before", "after", "repairs", "tried", "seconds")


class HefixOptions(InstalledAgentOptions):
    """The options of `--ak name=value`."""

    tarball: Optional[str] = Field(default=None, description="Local tarball of hefix; must be given.")
    target: str = Field(default=".", description="What to repair: file, file::function or folder.")
    tests: Optional[str] = Field(default=None, description="Files or folders of tests, separated by commas.")
    time: Optional[int] = Field(default=None, description="Seconds of the whole repair.")


class Hefix(BaseInstalledAgent):
    options_model = HefixOptions

    @staticmethod
    def name():
        return "hefix"

    def get_version_command(self):
        return "hefix --version"

    def parse_version(self, stdout):
        """The first of two lines; the second is the version of Node.js."""
        return stdout.splitlines()[0].strip()

    async def install(self, environment):
        tarball = self.options.tarball
        if tarball is None or not Path(tarball).is_file():
            raise FileNotFoundError(f"No tarball of hefix at {tarball}: run npm pack, and give --ak tarball=<path>.")
        await self.ensure_system_dependencies(environment, ("nodejs", "npm", "python3"))
        await environment.upload_file(Path(tarball), TARBALL)
        await self.exec_as_root(environment, f"npm install --global {TARBALL}")

    async def run(self, instruction, environment, context):
        """Exit code 1 of hefix, «not repaired», is no error of the agent: the verifier decides about the trial."""
        logs = shlex.quote(str(self.environment_logs_dir))
        command = shlex.join(self.hefix_arguments())
        await self.exec_as_agent(
            environment, f"{command} 2>&1 >{logs}/hefix.json | tee {logs}/hefix.log; code=$?; test $code -le 1")

    def hefix_arguments(self):
        options = self.options
        given = {"--tests": options.tests, "--time": options.time, "--model": self.model_name}
        flags = [part for flag, value in given.items() if value is not None for part in (flag, str(value))]
        return ["hefix", "fix", options.target, *flags, "--write", "--json"]

    def populate_context_post_run(self, context):
        report = self.logs_dir / "hefix.json"
        if report.is_file() and (text := report.read_text()):
            context.metadata = {key: value for key, value in json.loads(text).items() if key in REPORTED}
