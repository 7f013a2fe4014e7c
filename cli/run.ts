import { OPTION_NAMES, readCommandLine, type CommandLine } from './terminal/command-line.ts';
import { check } from './commands/check.ts';
import type { Command, Done } from './commands/command.ts';
import { completion } from './commands/completion.ts';
import { init } from './commands/init.ts';
import { key } from './commands/key.ts';
import { batch, send } from './commands/pay.ts';
import { resume } from './commands/resume.ts';
import { COMMAND_LIST, type CommandName } from './terminal/commands.ts';
import { HELP } from './terminal/help.ts';
import { serveMcp } from './mcp/serve.ts';
import { readSettings } from './paying/settings.ts';
import { badUsage, EXIT, toStop, type Ending } from './terminal/stop.ts';
import type { Context } from './terminal/context.ts';

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  init,
  send,
  batch,
  check,
  resume,
  mcp: serveMcp,
  key,
  completion,
};

/** Runs one command; answers the exit code. Expected ends are one line for people, or one object for programs. */
export async function runClient(context: Context): Promise<number> {
  // This switch must work even where the rest of the line cannot be read.
  const isJson = context.args.includes('--json');
  try {
    const line = readCommandLine(context.args);
    if (line.command === 'help') return await showHelp(context, isJson);
    const { report, shown } = await runCommand(line, context);
    await show(context, isJson, report);
    shown?.();
    return EXIT[report.ending];
  } catch (error) {
    return await explain(context, isJson, error);
  }
}

async function runCommand(line: CommandLine, context: Context): Promise<Done> {
  if (!isCommand(line.command)) throw badUsage(`There is no command "${line.command}".`);
  return COMMANDS[line.command](line, readSettings(line.options, context), context);
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

async function showHelp(context: Context, isJson: boolean): Promise<number> {
  const commands = COMMAND_LIST.map(({ name, usage, about }) => ({ name, usage, about: about.join(' ') }));
  const fields = { status: 'help', commands, options: OPTION_NAMES };
  await show(context, isJson, { ending: 'paid', fields, text: HELP });
  return EXIT.paid;
}

/** Resolves when it is written: the caller must have the report before a payment counts as told. */
function show(context: Context, isJson: boolean, { ending, fields, text }: Done['report']): Promise<void> {
  if (Object.keys(fields).length === 0) return Promise.resolve();
  if (isJson) return write(context.stdout, JSON.stringify({ ok: ending === 'paid', ...fields }));
  return write(ending === 'paid' ? context.stdout : context.stderr, text);
}

function write(stream: Context['stdout'], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(`${text}\n`, (error) => (error ? reject(error) : resolve()));
  });
}

async function explain(context: Context, isJson: boolean, error: unknown): Promise<number> {
  const stop = toStop(error);
  const ending: Ending = stop?.ending ?? 'unknown';
  const word = stop?.word ?? 'internal_error';
  // A fault of ours: its text is for the developer. `resume` finds out whether something was paid by then.
  const message = stop?.message ?? `Something went wrong here: ${error instanceof Error ? error.message : 'unknown'}`;
  const next = stop === null ? 'Run "pennypost resume" to see whether a payment is open.' : stop.next;
  const fields = { ok: false, status: ending, error: word, message, next };
  const written = isJson
    ? write(context.stdout, JSON.stringify(fields))
    : write(context.stderr, next === null ? message : `${message}\n${next}`);
  // Where the reader is gone, only the exit code is left.
  await written.catch(() => undefined);
  return EXIT[ending];
}
