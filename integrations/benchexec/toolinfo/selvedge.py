"""How BenchExec runs Selvedge and what it makes of the answer.

Put the folder above this one on PYTHONPATH and name the tool `toolinfo.selvedge`; README.md has the commands.
"""

import benchexec.result as result
import benchexec.tools.template

# What may stand behind `result: `, which is the last line that Selvedge prints.
RESULTS = {
    result.RESULT_TRUE_PROP,
    result.RESULT_UNKNOWN,
    result.RESULT_FALSE_REACH,
    result.RESULT_FALSE_DATARACE,
    result.RESULT_FALSE_OVERFLOW,
    result.RESULT_FALSE_DEADLOCK,
    result.RESULT_FALSE_DEREF,
    result.RESULT_FALSE_FREE,
    result.RESULT_FALSE_MEMTRACK,
    result.RESULT_FALSE_MEMCLEANUP,
}

# The share of a limit that Selvedge is told of, so that it comes to its own end within it.
SHARE = 0.9


class Tool(benchexec.tools.template.BaseTool2):
    """Selvedge, a verifier for multithreaded C."""

    def name(self):
        return "Selvedge"

    def executable(self, tool_locator):
        return tool_locator.find_executable("selvedge")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="selvedge")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--spec", task.property_file]
        model = (task.options or {}).get("data_model") if isinstance(task.options, dict) else None
        if model is not None:
            if model not in ("ILP32", "LP64"):
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"Selvedge knows no data model '{model}'"
                )
            command += ["--data-model", model]
        # Engines run side by side, so that time on the clock is less than what the processors spend.
        limits = [rlimits.walltime]
        if rlimits.cputime:
            limits.append(rlimits.cputime / (rlimits.cpu_cores or 1))
        limits = [limit for limit in limits if limit]
        if limits:
            command += ["--timeout", f"{SHARE * min(limits):.1f}"]
        if rlimits.memory:
            command += ["--memory", str(int(SHARE * rlimits.memory) >> 20)]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in reversed(run.output):
            if line.startswith("result: "):
                word = line[len("result: ") :].strip()
                return word if word in RESULTS else result.RESULT_ERROR
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + " (input)"
        if run.exit_code.value == 4:
            return result.RESULT_ERROR + " (internal)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """A line of the output that begins with the identifier, such as `explicit` under --statistics."""
        for line in reversed(output):
            if line.startswith(identifier + ":"):
                return line[len(identifier) + 1 :].strip()
        return None
