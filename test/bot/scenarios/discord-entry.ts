import type { Discord } from '../../fakes/discord/server.ts';
import type { Person } from './drivers/chat-driver.ts';

type Command = ReturnType<Discord['commands']>[number];
type Entry = { name: string; values: Record<string, string | { id: string }> };

const AMOUNT = /^(?:[$€]?[.,]?\d[^@:]*|all|max|half)$/i;

/**
 * How somebody enters a command with the fields of Discord's client, given what the others type as text. `mentioning`: whom
 * an `@Name` in it stands for.
 */
export function enterCommand(commands: readonly Command[], text: string, mentioning: readonly Person[]): Entry {
  const { name, rest } = readText(text);
  const command = commands.find((one) => one.name === name);
  if (!command) throw new Error(`/${name} is no command that is registered with Discord`);
  if (name === 'settings') return enterSetting(rest, mentioning);
  const written = mentioning.reduce((words, one) => words.replace(`@${one.name}`, `<@${one.id}>`), rest);
  if (name === 'tip') return { name, values: enterTip(written) };
  if (name === 'treasury') return { name: `treasury ${rest}`, values: {} };
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
  const [to, note] = [words.slice(0, at).join(' '), words.slice(at + 1).join(' ')];
  return { amount: words[at] ?? '', ...(to === '' ? {} : { to }), ...(note === '' ? {} : { note }) };
}

/** Post and sum have fields of their own, and so have those who are left out, without the word that stands before them. */
function enterReward(text: string): Record<string, string> {
  const [, said = '', without = ''] = /^(.*?)\s*(?:\bwithout\s+([^]*))?$/.exec(text) ?? [];
  return { ...(said === '' ? {} : share(['post', 'budget'], said)), ...(without === '' ? {} : { without }) };
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
