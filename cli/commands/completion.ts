import { OPTION_NAMES, takeWords } from '../terminal/command-line.ts';
import { COMMAND_LIST, SHELLS, type Shell } from '../terminal/commands.ts';
import { badUsage } from '../terminal/stop.ts';
import type { Command } from './command.ts';

const NAMES = [...COMMAND_LIST.map(({ name }) => name), 'help'].join(' ');
const FLAGS = OPTION_NAMES.map((name) => `--${name}`).join(' ');
const WORDED = COMMAND_LIST.filter(({ words }) => words.length > 0);

/** What each shell evaluates. Files are completed where neither a command nor an option is wanted. */
const SCRIPTS = {
  bash: () => `_pennypost() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="${NAMES}"
  else case "\${COMP_WORDS[1]}" in
${WORDED.map(({ name, words }) => `    ${name}) words="${words.join(' ')}" ;;`).join('\n')}
  esac; fi
  case "$word" in -*) words="${FLAGS}" ;; esac
  COMPREPLY=( $(compgen -W "$words" -- "$word") )
}
complete -o default -F _pennypost pennypost`,
  zsh: () => `#compdef pennypost
_pennypost() {
  if [[ "$words[CURRENT]" == -* ]]; then compadd -- ${FLAGS}
  elif (( CURRENT == 2 )); then compadd -- ${NAMES}
  else case "$words[2]" in
${WORDED.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`).join('\n')}
    *) _files ;;
  esac; fi
}
compdef _pennypost pennypost`,
  fish: () =>
    [
      `complete -c pennypost -n __fish_use_subcommand -f -a "${NAMES}"`,
      ...WORDED.map(
        ({ name, words }) =>
          `complete -c pennypost -n "__fish_seen_subcommand_from ${name}" -f -a "${words.join(' ')}"`,
      ),
      ...OPTION_NAMES.map((name) => `complete -c pennypost -l ${name}`),
    ].join('\n'),
} as const satisfies Record<Shell, () => string>;

/** `pennypost completion bash`: made of the table of commands, so that it knows every one. */
export const completion: Command = async ({ words }) => {
  const [word] = takeWords(words, 1, 1, `completion ${SHELLS.join('|')}`);
  const shell = SHELLS.find((one) => one === word);
  if (shell === undefined) throw badUsage(`Completion is for ${SHELLS.join(', ')}.`);
  const script = SCRIPTS[shell]();
  return { report: { ending: 'paid', fields: { status: 'completion', shell, script }, text: script } };
};
