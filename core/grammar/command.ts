import { parseLimits, type LimitsWish } from './limits.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { parseDrop, parseReward, type DropWish, type RewardWish } from './reward.ts';
import { parseSettings, type SettingsWish } from './settings.ts';
import { parseTreasury, type TreasuryWish } from './treasury.ts';
import { parseWithdraw, type Withdraw } from './withdraw.ts';
import { EXAMPLE_REQUEST, EXAMPLE_TIP, mistake, type Mistake } from './mistakes.ts';
import { findCommand, nearCommand, type CommandName } from './near-command.ts';
import { parseTip, type Tip } from './tip.ts';
import { commandAskedFor } from './words/asked-for.ts';
import { OFF, ON } from './words/vocabulary.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import type { Recipient } from '../platforms/recipient.ts';

/** The longest message of any chat (Telegram). */
const COMMAND_CHARACTERS_MAX = 4_096;

export type Command =
  | Tip
  | Withdraw
  | { kind: 'balance' | 'deposit' | 'wallet' | 'withdraw_help' | 'withdraw_cancel' | 'history' | 'privacy' | 'unknown' }
  | { kind: 'lock' | 'unlock' | 'block' }
  /** `wish`: null where the command only asks for the present limits. */
  | { kind: 'limits'; wish: LimitsWish | null }
  /** `topic`: the command that the question is about. */
  | { kind: 'help'; topic?: string }
  /** `wish`: the new setting; null where the command only asks. Only moderators are told what is wrong with it. */
  | { kind: 'settings'; wish: SettingsWish | Mistake | null }
  | { kind: 'treasury'; wish: TreasuryWish }
  | { kind: 'reward'; wish: RewardWish }
  | { kind: 'drop'; wish: DropWish }
  | { kind: 'request'; wish: RequestWish }
  | { kind: 'top'; wish: TopWish }
  /** `choice`: what was typed; null: nothing. */
  | { kind: 'language' | 'claim' | 'link' | 'start'; choice: string | null };

const TIP = /^\s*[/／]?tip(?:\s|$)/i;

/** Known from its first word: of all commands others see only a tip begin. */
export const isTipTyped = (text: string): boolean => TIP.test(text);

/** `ask`: the tip that the asked person would pay. `allow` and `refuse`: requests of this person, or of everybody. */
export type RequestWish =
  | { do: 'ask'; tip: Tip }
  | { do: 'allow' | 'refuse'; whom: Recipient | null }
  | { do: 'explain' };

/** `join` and `leave`: whether this person stands in the list. */
export type TopWish = 'show' | 'join' | 'leave';

/** Reads one message (design, section 7). Pure and total: every text is a command, `unknown`, or a mistake. */
export function parseCommand(text: string, context: GrammarContext = {}): Command | Mistake {
  if (text.length > COMMAND_CHARACTERS_MAX) return mistake('command_too_long', '', [EXAMPLE_TIP]);
  // The slash may be left out; `／` is the same key on a Japanese keyboard.
  const [, name = '', rest = ''] = /^\s*[/／!！]?([\p{L}_]+)[.,:!?…。！？]*(?:\s+([^]*))?$/u.exec(text) ?? [];
  const command = findCommand(name);
  if (command !== null) return readCommand(command, rest, context);
  const asked = commandAskedFor(text);
  return asked === null
    ? (nearCommand(text, context, (meant) => parseCommand(meant, context)) ?? { kind: 'unknown' })
    : readCommand(asked, '', context);
}

function readCommand(command: CommandName, rest: string, context: GrammarContext): Command | Mistake {
  switch (command) {
    case 'tip':
      return parseTip(rest, context);
    case 'pay': {
      const tip = parseTip(rest, context);
      return tip.kind === 'tip' ? { ...tip, viaLink: true } : tip;
    }
    case 'balance':
      return { kind: 'balance' };
    case 'deposit':
      return { kind: 'deposit' };
    case 'wallet':
      return { kind: 'wallet' };
    case 'withdraw':
      return parseWithdraw(rest);
    case 'limits':
      return { kind: 'limits', wish: parseLimits(rest) };
    case 'lock':
    case 'unlock':
    case 'block':
      return { kind: command };
    case 'history':
      return { kind: 'history' };
    case 'privacy':
      return { kind: 'privacy' };
    case 'settings':
      return { kind: 'settings', wish: parseSettings(rest, context) };
    case 'treasury':
      return { kind: 'treasury', wish: parseTreasury(rest) };
    case 'reward':
      return readReward(rest, context);
    case 'drop':
      return { kind: 'drop', wish: parseDrop(rest, context) };
    case 'top':
      return { kind: 'top', wish: readTop(rest.trim().toLowerCase()) };
    case 'request':
      return parseRequest(rest, context);
    case 'language':
    case 'claim':
    case 'link':
      return { kind: command, choice: rest.trim() === '' ? null : rest.trim() };
    case 'help':
      return rest.trim() === '' ? { kind: 'help' } : { kind: 'help', topic: rest.trim() };
    case 'start':
      return { kind: 'start', choice: rest.trim() === '' ? null : rest.trim() };
  }
}

/** A reward is for a post; `/reward @alice 5` is a tip by another name. */
function readReward(rest: string, context: GrammarContext): Extract<Command, { kind: 'reward' }> | Mistake {
  const wish = parseReward(rest);
  const isPost = wish.do !== 'unreadable' || wish.problem.code !== 'not_a_post';
  const isTip = !isPost && parseTip(rest, context).kind === 'tip';
  return isTip ? mistake('did_you_mean', rest, [`/tip ${rest.trim()}`]) : { kind: 'reward', wish };
}

function readTop(word: string): TopWish {
  if (ON.has(word)) return 'join';
  return OFF.has(word) ? 'leave' : 'show';
}

/** `from x:alice 5`, `5 usd from x:alice`; not a name in the reason. */
const FROM_WHOM = /^(\s*(?:[^@:\s]+\s+){0,6})(?:from|von|de|del|do|da|dos|das)\s+(?=@|[a-z]+:)/iu;
const FROM_THEM =
  /(?<=[A-Za-z0-9_.:])(?=\s*(?:さん|くん|君|ちゃん|様)?から)(?<=(?:^|\s)(?:@|[a-z]+:)[A-Za-z0-9_.:]+)\s*(?:さん|くん|君|ちゃん|様)?から(?:の)?/u;
/** `@alice owes me 5`, `@alice should pay 5`. */
const OWES =
  /(?<=^|\s)(?:(?:he|she|they|er|sie|ele|ela|él|ella) )?(?:owes?(?: me| us)?|(?:to|should|must|has to|please) pay(?: me| us)?|schuldet(?: mir| uns)?|me debe|nos debe|me deve|nos deve|tá me devendo|está me devendo)(?=\s)/iu;
/** `@alice pls send me 5`, `que me pague 5`: before the sum; behind it such words are the reason. */
const ASKED_TO =
  /(?<=^|\s)(?:(?:can|could|pls|plz|please|bitte) )?(?:you )?(?:(?:can|could) (?:pay|send|give)(?: me| us)?|(?:pay|send|give) (?:me|us)(?: back)?|(?:que )?(?:me|nos) (?:pague|paga|mande|manda|env[ií][ae]|pase|pasa|passe|passa|devuelv[ae]|devolv[ae])[nm]?|debe|deve|(?:soll|muss|kann) (?:mir|uns))(?=(?:\s+\p{L}+){0,2}\s+[^\s0-9]?[0-9])/iu;

const SELF = '(?:yo|eu|ich|mich|me|myself|i|mim|自分|私)';
/** A word of letters stands alone: `@pepe me` is not `@pep e me`. */
const AND = '(?:\\s*(?:,|、|\\+|&|と)\\s*|\\s+(?:y|e|und|and)\\s+)';
/** `@alice y yo`, `私と@alice`, `rachar 30 com @alice`: one who shares a bill is named as well. */
const WITH_SELF: readonly (readonly [RegExp, (asker: string) => string])[] = [
  [
    new RegExp(`(?<![^\\s,、])((?:[^\\s,、@:]|(?<!\\w):)*(?:@|(?<=\\w):)[^\\s,、]+)${AND}${SELF}(?=[\\s,.、]|$)`, 'iu'),
    (asker) => `$1 ${asker}`,
  ],
  [new RegExp(`(^|\\s)${SELF}${AND}(?=@|\\w+:)`, 'iu'), (asker) => `$1${asker} `],
  [
    /((?:^|\s)(?:rachar|dividir|repartir|split|teilen|teile)\s+\S+\s+)(?:com|con|with|mit)\s+(?=@|\w+:)/iu,
    (asker) => `$1entre ${asker} `,
  ],
];

function nameSelf(rest: string, { asker }: GrammarContext): string {
  const found = asker === undefined ? undefined : WITH_SELF.find(([form]) => form.test(rest));
  return found === undefined || asker === undefined ? rest : rest.replace(found[0], found[1](recipientName(asker)));
}

/** `5 back for the taxi`, `12 zurück`: what was lent. */
const BACK =
  /(?<=\S)(?=\s)(?<=[0-9]\S*(?: \p{L}+)?)\s+(?:back|zurück|zahlen|geben|schicken|de vuelta|de volta)(?=[.!]?$|\s+(?:for|from|fürs?|fuers?|von|vom|de|del|do|da|por|pelo|pela)\s)/iu;

function parseRequest(rest: string, context: GrammarContext): Extract<Command, { kind: 'request' }> | Mistake {
  const [first = '', name = '', ...more] = rest.trim().split(/\s+/);
  if (first === '') return { kind: 'request', wish: { do: 'explain' } };
  // A client with a field for each puts the name first.
  const [word, other] = ON.has(name.toLowerCase()) || OFF.has(name.toLowerCase()) ? [name, first] : [first, name];
  const choice = ON.has(word.toLowerCase()) ? 'allow' : OFF.has(word.toLowerCase()) ? 'refuse' : null;
  const reading = other === '' ? null : readRecipient(other, context);
  if (choice !== null && more.length === 0 && (reading === null || reading.kind === 'recipient')) {
    return { kind: 'request', wish: { do: choice, whom: reading?.recipient ?? null } };
  }
  // Without rates: the asker says how many dollars, because the other may pay days later.
  const { rates: _rates, ...place } = context;
  const named = nameSelf(rest, context)
    .replace(FROM_WHOM, '$1')
    .replace(FROM_THEM, ' ')
    .replace(OWES, '')
    .replace(ASKED_TO, '')
    .replace(BACK, '');
  const tip = parseTip(named, place);
  if (tip.kind === 'tip') return { kind: 'request', wish: { do: 'ask', tip } };
  const [example, ...others] = tip.examples.map(asRequest);
  return { ...tip, examples: [example ?? EXAMPLE_REQUEST, ...others] };
}

/** Only members can be asked, so the person in all examples is a member here. */
const asRequest = (example: string): string =>
  example.replace(/^\/tip (?:@?x:(?:alice|bob) )*/, (words) => (words === '/tip ' ? '/request ' : '/request @name '));
