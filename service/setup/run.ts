import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError, parseConfig } from '../../core/config/config.ts';
import { VARIABLE_NAMES, type VariableName } from '../../core/config/variables.ts';
import { createWhole } from '../../local/processes/whole-file.ts';
import { createKeystore, openKeystore } from '../keystore/file.ts';
import { addMissingKeys } from '../keystore/new-keys.ts';
import type { Random } from '../keystore/sealed.ts';
import { adviceLines } from './advice.ts';
import { flagOf, QUESTIONS, refusalOf, type Answers, type Question } from './questions.ts';

export type SetupOptions = {
  args: readonly string[];
  /** Where the settings go. */
  file: string;
  /** Null: nobody is there to ask. */
  ask: ((question: string) => Promise<string | null>) | null;
  say: (line: string) => void;
  random: Random;
  /** How dear the password of the keystore is to guess; the usual when left out. */
  cost?: number;
};

/** Ends the questions: its text is one line for the person at the terminal. */
class NotDone extends Error {}

/** Asks what an operator knows, makes what can be made, and stores it. 1: nothing was stored. */
export async function runSetup(options: SetupOptions): Promise<{ exitCode: 0 | 1; lines: string[] }> {
  try {
    return { exitCode: 0, lines: await setUp(options) };
  } catch (error) {
    if (!(error instanceof NotDone) && !(error instanceof ConfigError)) throw error;
    return { exitCode: 1, lines: [...error.message.split('\n'), 'Nothing was written.'] };
  }
}

async function setUp({ args, file, ask, say, random, cost }: SetupOptions): Promise<string[]> {
  if (existsSync(file)) throw new NotDone(`${file} is there already. Move it away, or change it by hand.`);
  const given = readFlags(args);
  const answers = await askAll(given, ask, say);
  const token = (bytes: number) => Buffer.from(random(bytes)).toString('base64url');
  const made: Answers = {
    BOT_API_TOKEN: token(32),
    ADMIN_TOKEN: token(32),
    ...(answers.TELEGRAM_TOKEN === undefined ? {} : { TELEGRAM_WEBHOOK_SECRET: token(32) }),
  };
  const settings: Answers = { ...made, ...answers };
  // Before anything is made: all mistakes at once.
  parseConfig(settings);
  const place = { path: settings.KEYSTORE ?? '', passwordFile: settings.KEYSTORE_PASSWORD_FILE ?? '' };
  if (!existsSync(place.passwordFile)) {
    // A new password would not open it, and would hide that the old one is lost.
    if (existsSync(place.path))
      throw new NotDone(
        `${place.path} is there, and ${place.passwordFile}, its password, is not: bring it back first.`,
      );
    mkdirSync(dirname(place.passwordFile), { recursive: true, mode: 0o700 });
    writeFileSync(place.passwordFile, `${token(24)}\n`, { mode: 0o600, flag: 'wx' });
  }
  const fresh = { secrets: addMissingKeys({}, random), wordsConfirmedAtMs: null };
  const isNew = createKeystore(place, fresh, cost === undefined ? { random } : { random, cost });
  const { secrets } = isNew ? fresh : openKeystore(place);
  if (!(await createWhole(file, toFile(settings)))) throw new NotDone(`${file} appeared meanwhile and stays as it is.`);
  return [
    `Wrote ${file}, for its owner only.`,
    isNew ? `Wrote ${place.path} with new keys.` : `${place.path} was there and stays as it is.`,
    `Keep its password apart from it: ${place.passwordFile}`,
    '',
    ...adviceLines(parseConfig(settings, secrets), secrets),
  ];
}

type Flags = { answers: Answers; isQuiet: boolean };

/** `--base-url=https://…`, one for each setting; `--yes` asks nothing and takes what is preset. */
function readFlags(args: readonly string[]): Flags {
  const read: Partial<Record<VariableName, string>> = {};
  let isQuiet = false;
  for (const arg of args) {
    const [, flag = '', value] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    const name = VARIABLE_NAMES.find((known) => flagOf(known) === flag);
    if (flag === 'yes' && value === undefined) isQuiet = true;
    else if (name === undefined || value === undefined)
      throw new NotDone(`${arg} is not understood. Write --base-url=https://…, --yes.`);
    else if (refusalOf(name, value) !== null) throw new NotDone(`--${flag}: ${refusalOf(name, value)}`);
    else read[name] = value;
  }
  return { answers: read, isQuiet };
}

async function askAll(
  { answers: given, isQuiet }: Flags,
  ask: SetupOptions['ask'],
  say: SetupOptions['say'],
): Promise<Answers> {
  let answers = given;
  for (const question of QUESTIONS) {
    if (answers[question.name] !== undefined || question.when?.(answers) === false) continue;
    const answer = isQuiet || ask === null ? presetOf(question, answers) : await askOne(question, answers, ask, say);
    if (answer !== null) answers = { ...answers, [question.name]: answer };
  }
  return answers;
}

function presetOf(question: Question, answers: Answers): string | null {
  const preset = question.preset?.(answers) ?? null;
  if (preset === null && question.isRequired === true)
    throw new NotDone(`--${flagOf(question.name)} is needed: ${question.text}`);
  return preset;
}

async function askOne(
  question: Question,
  answers: Answers,
  ask: NonNullable<SetupOptions['ask']>,
  say: SetupOptions['say'],
): Promise<string | null> {
  const preset = question.preset?.(answers);
  for (;;) {
    const shown = preset === undefined ? '' : ` [${preset}]`;
    const typed = await ask(`${question.text}${shown}: `);
    if (typed === null) throw new NotDone('Stopped.');
    const answer = typed.trim() === '' ? (preset ?? '') : typed.trim();
    if (answer === '' && question.isRequired !== true) return null;
    const refusal = answer === '' ? 'it is needed' : refusalOf(question.name, answer);
    if (refusal === null) return answer;
    say(`  ${refusal}`);
  }
}

/** Quoted, so that a shell reads the same as Node. */
function toFile(settings: Answers): string {
  const lines = VARIABLE_NAMES.flatMap((name) => {
    const value = settings[name];
    return value === undefined ? [] : [`${name}=${quote(value)}`];
  });
  return `# Written by npm run setup. What else there is: .env.example\n${lines.join('\n')}\n`;
}

function quote(value: string): string {
  if (/^[A-Za-z0-9_@%+=:,./-]*$/.test(value)) return value;
  if (!value.includes("'")) return `'${value}'`;
  // Inside double quotes a shell still reads these.
  if (/["`$\\]/.test(value))
    throw new NotDone(`No file can hold ${JSON.stringify(value)} for Node and for a shell: leave out quotes.`);
  return `"${value}"`;
}
