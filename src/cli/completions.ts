import type { Command } from "./command.ts";
import { UsageError } from "./failure.ts";
import { helpOption } from "./model_options.ts";
import { print } from "./output.ts";
import { hint } from "./suggest.ts";

/** `muser completions bash`: a script that completes commands, options and their values. */
export function completionsOf(commands: readonly Command[]): Command {
  const completions: Command = {
    name: "completions",
    operands: "bash",
    summary: "Writes a script for tab completion in bash",
    details: `Example, in ~/.bashrc:
  source <(muser completions bash)`,
    options: [helpOption],
    async run(input): Promise<void> {
      const [shell, ...others] = input.operands;
      if (shell === undefined) throw new UsageError("The shell is missing: write bash");
      if (shell !== "bash") {
        throw new UsageError(`No completions for "${shell}"${hint(shell, ["bash"]) || ", use bash"}`);
      }
      if (others.length > 0) throw new UsageError(`Unexpected argument "${others[0]}"`);
      await print(bashScript([...commands, completions]));
    },
  };
  return completions;
}

/** Where nothing matches, bash falls back to file names, which is right for operands and paths. */
function bashScript(commands: readonly Command[]): string {
  const names = [...commands.map(({ name }) => name), "help"];
  return `_muser() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names.join(" ")} --help"
  else
    case "\${COMP_WORDS[1]} $before" in
${commands.flatMap(valueCases).join("\n")}
    "help "*) words="${names.join(" ")}" ;;
    *)
      case "\${COMP_WORDS[1]} $word" in
${commands.map(optionCase).join("\n")}
      esac
      ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _muser muser
`;
}

function valueCases({ name, options }: Command): string[] {
  return options.flatMap((option) => {
    if (option.value === undefined || option.optional) return [];
    return [`    "${name} --${option.name}") words="${option.choices?.join(" ") ?? ""}" ;;`];
  });
}

function optionCase({ name, options }: Command): string {
  return `      "${name} -"*) words="${options.map((option) => `--${option.name}`).join(" ")}" ;;`;
}
