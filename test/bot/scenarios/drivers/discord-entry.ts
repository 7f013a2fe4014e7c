import type { Discord } from '../../../fakes/discord/server.ts';
import type { Person } from './chat-driver.ts';

type Command = ReturnType<Discord['commands']>[number];
type Entry = { name: string; values: Record<string, string | { id: string }> };

const AMOUNT = /^(?:[$€]?[.,]?\d[^@:]*|all|max|half|five|alles|todo|tudo|全部)$/i;

/**
 * How a member enters a command with the fields of Discord's client, given what others type as text. `mentioning`: whom
 * an `@Name` in it stands for.
 */
export function enterCommand(commands: readonly Command[], text: string, mentioning: readonly Person[]): Entry {
  const { name, rest } = readText(text);
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`/${name} is no command that is registered with Discord`);
  if (name === 'settings') return enterSetting(rest, mentioning);
  const written = mentioning.reduce((words, one) => words.replace(`@${one.name}`, `<@${one.id}>`), rest);
  if (name === 'tip') return { name, values: enterTip(written) };
  if (name === 'request') return { name, values: enterRequest(written) };
  if (name === 'treasury') {
    const [step = '', amount = ''] = rest.split(' ');
    return { name: `treasury ${step}`, values: amount === '' ? {} : { amount } };
  }
  if (name === 'drop') return { name, values: enterDrop(written) };
  if (name === 'reward') return { name, values: enterReward(written) };
  const keys = 'options' in command ? (command.options ?? []).map((option) => option.name) : [];
  return { name, values: rest === '' ? {} : share(keys, written) };
}

/** Each setting is a subcommand with one field; a person is chosen there, not typed. */
function enterSetting(text: string, mentioning: readonly Person[]): Entry {
  const [setting = '', ...words] = text.split(' ');
  if (setting === '') return { name: 'settings show', values: {} };
  const person = mentioning.find(({ name }) => words[0] === `@${name}`);
  const value = person ? { id: person.id } : words.join(' ');
  return { name: `settings ${setting}`, values: { value } };
}

/** Whom it is about is chosen, not typed. */
function enterRequest(text: string): Entry['values'] {
  const [first, ...others] = Array.from(text.matchAll(/<@(\w+)>/g), ([mention, id = '']) => ({ mention, id }));
  const [amount = '', ...words] = text
    .replaceAll(/<@\w+>/g, '')
    .trim()
    .split(/\s+/);
  const [sharing, ...rest] = words;
  const note = sharing === 'split' ? rest : words;
  const values: Entry['values'] = { amount: sharing === 'split' ? `${amount} split` : amount };
  if (first !== undefined) values['user'] = { id: first.id };
  if (others.length > 0) values['to'] = others.map(({ mention }) => mention).join(' ');
  if (note.length > 0) values['note'] = note.join(' ');
  return values;
}

/** What the form under "Tip" on a message asks for. */
export function enterForm(text: string): Record<string, string> {
  const { to, ...fields } = enterTip(readText(text).rest);
  if (to !== undefined) throw new Error(`a form asks for no name, found ${to}`);
  return fields;
}

function readText(text: string): { name: string; rest: string } {
  const [, name = '', rest = ''] = /^\/(\w+)\s*([^]*)$/.exec(text) ?? [];
  return { name, rest };
}

function enterTip(text: string): { amount: string; to?: string; note?: string } {
  const words = text.split(' ');
  const at = words.findIndex((word) => AMOUNT.test(word));
  if (at < 0) throw new Error(`Discord's client sends no tip without an amount: ${text}`);
  // How it is shared belongs to the amount.
  const end = /^(?:each|split)$/.test(words[at + 1] ?? '') ? at + 2 : at + 1;
  const to = words.slice(0, at).join(' ');
  // The field is the note, so nobody says that in it.
  const note = words
    .slice(end)
    .join(' ')
    .replace(/^note: /, '');
  return { amount: words.slice(at, end).join(' '), ...(to === '' ? {} : { to }), ...(note === '' ? {} : { note }) };
}

/** Post and sum have fields of their own, and so have those who are left out, without the word that stands before them. */
function enterReward(text: string): Record<string, string> {
  const [, said = '', without = ''] = /^(.*?)\s*(?:\bwithout\s+([^]*))?$/.exec(text) ?? [];
  return { ...(said === '' ? {} : share(['post', 'budget'], said)), ...(without === '' ? {} : { without }) };
}

/** Sum, people and time have fields of their own, and so have names to strike. */
function enterDrop(typed: string): Record<string, string> {
  const isTreasury = / ?from treasury ?/.test(typed);
  const from: Record<string, string> = isTreasury ? { from: 'treasury' } : {};
  const text = typed.replace(/ ?from treasury ?/, ' ').trim();
  const [, without] = /^without (.*)$/.exec(text) ?? [];
  if (without !== undefined) return { ...from, without };
  const [, amount = '', people = '', time = ''] = /^(\S+)? ?(\d+ people)? ?(.*)$/.exec(text) ?? [];
  const asked = Object.entries({ amount, people, time }).filter(([, value]) => value !== '');
  return { ...Object.fromEntries(asked), ...from };
}

/** A word for each field, and all that is left for the last. */
function share(keys: readonly string[], text: string): Record<string, string> {
  const words = text.split(' ');
  const last = keys.length - 1;
  return Object.fromEntries(
    keys.flatMap((key, index) => {
      const value = index === last ? words.slice(index).join(' ') : (words[index] ?? '');
      return value === '' ? [] : [[key, value]];
    }),
  );
}
