import { mistake, type Mistake } from './mistakes.ts';
import { recipientName } from '../platforms/recipient-name.ts';
import { readAmount, sumIn, writtenSum } from './amount.ts';
import { nameMistake } from './names.ts';
import { inOrder } from './words/in-order.ts';
import { isOneSlip } from './words/near.ts';
import { readRecipient, type GrammarContext } from './recipient.ts';
import { parseTip, type Tip } from './tip.ts';
import { isGiving, REASONS } from './words/vocabulary.ts';
import { splitWords } from './words/words.ts';

/** Commands by their own names, and what they are called in each language. */
const WORDS = {
  tip: 'trinkgeld propina gorjeta チップ',
  drop: 'airdrop verteilen repartir distribuir 配る',
  request: 'anfordern einfordern solicitar pedir リクエスト 請求',
  pay: '',
  balance: 'saldo guthaben kontostand 残高',
  deposit: 'einzahlen aufladen depositar recargar ingresar 入金 チャージ',
  wallet: 'wallets cartera billetera carteira ウォレット',
  withdraw: 'auszahlen abheben retirar sacar auszahlung retirada retiro saque cashout 出金 引き出し',
  limits: 'limit límites límite limites limite 上限',
  lock: 'sperren bloquear ロック',
  unlock: 'entsperren desbloquear ロック解除',
  history:
    'verlauf historial histórico historico transactions transaktionen umsätze movimientos transacciones extracto extrato transações transacoes 履歴 取引',
  privacy: 'datenschutz privacidad privacidade プライバシー',
  block: 'blockieren blocken ブロック',
  settings: 'einstellungen ajustes configuración configuracion configurações configuracoes 設定',
  top: 'rangliste clasificación clasificacion classificação classificacao ranking leaderboard ランキング',
  treasury: 'tesorería tesouraria gruppenkasse',
  reward: 'belohnung recompensa 報酬',
  language: 'sprache idioma 言語',
  claim: 'abholen cobrar reclamar resgatar 受け取り 受け取る',
  link: 'verknüpfen vincular 連携',
  help: 'hilfe ayuda ajuda ヘルプ 使い方',
  start: '',
} as const;

export type CommandName = keyof typeof WORDS;

const COMMANDS: ReadonlyMap<string, CommandName> = new Map(
  (Object.entries(WORDS) as [CommandName, string][]).flatMap(([name, words]) =>
    [name, ...words.split(' ')].filter((word) => word !== '').map((word) => [word, name] as const),
  ),
);

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const UNDOING = set(
  'undo revert reverse revoke refund unsend takeback cancel cancell rückgängig zurück zurückholen zurücknehmen zurückziehen stornieren storno storniere abbrechen widerrufen deshacer cancelar cancela anular anula revertir devolución devolver reembolso desfazer desfaz cancele reverter estornar estorno devolve 取り消し 取消 取消し キャンセル 返金',
);
/** The commonest slips are of long words. */
const UNDOING_CHARACTERS_MIN = 6;
/** `can I get a refund`. */
const TAKEN_BACK =
  /\b(?:undo|refund|unsend)\b|rückgängig|zurück(?:holen|nehmen|buchen)|\bstornier|deshacer|devuélv|devolución|reembols|\bcancelar\b|desfazer|estorn|\bcancela\b|\banular?\b|\bwrong (?:person|guy|one|account|user|name)\b|\b(?:my )?money back\b|falsche[nrs]? (?:person|empfänger|account|konto|leute)|geld zurück|persona equivocada|equivoqu[eé] de (?:persona|cuenta|usuario)|dinero de vuelta|how (?:do|can) i cancel\b|usuario equivocado|usuário errado|pessoa errada|conta errada|dinheiro de volta|取り消|キャンセル|返金|(?:相手|送り先|宛先|人).{0,3}間違|間違えて送|(?:お金|チップ).{0,2}(?:返して|戻し)/iu;
/** `cancel that tip`. */
const CALLED_BACK = inOrder(
  /\b(?:cancel|revert|reverse|take back)\b/giu,
  /\b(?:tip|payment|transfer|it|that|last)\b/giu,
);
const ASKING = set(
  'support contact faq commands menu info befehle comandos kontakt contacto contato suporte soporte サポート',
);
/** Before the verb: "can you please send". */
const LEADING_WORDS_MAX = 6;
const COMMAND_CHARACTERS_MAX = 200;

export function findCommand(word: string): CommandName | null {
  return COMMANDS.get(word.toLowerCase()) ?? null;
}

/**
 * What a line that is no command was probably meant as: a question with the person's own words as its answer. Null where
 * nothing is near.
 */
export function nearCommand(text: string, context: GrammarContext, read: (text: string) => Read): Mistake | null {
  const bare = text.trim().replace(/^[/／!！]+/, '');
  const [word = '', ...others] = bare.split(/\s+/);
  const first = word.toLowerCase();
  if (UNDOING.has(first) || isSlipOf(UNDOING, first)) return mistake('undo_is_a_button', word, ['/history']);
  if (ASKING.has(first)) return mistake('did_you_mean', word, ['/help']);
  const given = givenAfterVerb(bare, context);
  if (given !== null) return given;
  const slip = [...COMMANDS].find(([known]) => known.length > 2 && isOneSlip(known, first))?.[1];
  const shortened = [...COMMANDS]
    .filter(([known]) => first.length > 2 && known.startsWith(first))
    .map(([, one]) => one);
  const isOneCommand = others.length === 0 && new Set(shortened).size === 1;
  if (slip === undefined && isOneCommand && shortened[0] !== undefined && shortened[0] !== 'tip')
    return mistake('did_you_mean', word, [`/${shortened[0]}`]);
  if (isTakenBack(bare) && !/[0-9０-９@:]/.test(bare)) return mistake('undo_is_a_button', word, ['/history']);
  if (slip === 'tip') return others.length === 0 ? null : tipMeant(others.join(' '), context);
  if (slip !== undefined) return slipOf(slip, word, bare.slice(word.length).trim(), read);
  const whole = parseTip(bare, context);
  if (whole.kind === 'tip') return tipMeant(bare, context);
  if (SURE.includes(whole.code) && /[0-9０-９@:]/.test(bare)) return whole;
  return openName(bare, context) ?? oneAndOne(bare, context);
}

const isTakenBack = (text: string) => TAKEN_BACK.test(text) || CALLED_BACK.test(text);

type Read = { kind: string } | Mistake;

/** What follows the name stays with it, where that is how the command is asked for. */
const WITH_WORDS: readonly CommandName[] = ['request', 'drop', 'pay', 'withdraw', 'limits', 'claim', 'link'];

function slipOf(command: CommandName, typed: string, rest: string, read: (text: string) => Read): Mistake {
  const whole = `/${command} ${rest}`;
  if (rest === '' || !WITH_WORDS.includes(command) || whole.length > COMMAND_CHARACTERS_MAX)
    return mistake('did_you_mean', typed, [`/${command}`]);
  const meant = read(whole);
  return 'code' in meant ? meant : mistake('did_you_mean', typed, [whole]);
}

const isSlipOf = (known: ReadonlySet<string>, word: string): boolean =>
  [...known].some((one) => one.length >= UNDOING_CHARACTERS_MIN && isOneSlip(one, word));

/** What is wrong with a line, whatever the rest of it says. */
const SURE: readonly Mistake['code'][] = [
  'wallet_address',
  'phone_number',
  'bank_account',
  'too_large',
  'too_small',
  'thousands_separator',
  'other_currency',
  'word_amount',
  'counted_amount',
  'name_in_two_words',
  'mail_domain',
];

const CALLED_OFF = /\b(?:don'?t|do not|not|never|nicht|kein|no|não|nao)\b|ない/iu;

/** A sentence with one person and one sum, whatever else it says. */
function oneAndOne(bare: string, context: GrammarContext): Mistake | null {
  const texts = splitWords(bare.replace(/[’]/g, "'")).map(({ text }) => text);
  if (texts.length > SENTENCE_WORDS_MAX) return null;
  const names = texts.map((text) => readRecipient(text, context));
  const people = names.flatMap((one) => (one.kind === 'recipient' ? [recipientName(one.recipient)] : []));
  const sums = texts.flatMap((text, at) => {
    const reading = /[0-9]/.test(text) && names[at]?.kind === 'word' ? readAmount(texts, at, context.rates) : null;
    return reading?.kind === 'amount' ? [writtenSum(reading.form)] : [];
  });
  const [[name, ...others], [sum, ...more]] = [people, sums];
  const numbers = texts.filter((text, at) => /[0-9]/.test(text) && names[at]?.kind === 'word');
  const isOne = name !== undefined && sum !== undefined && others.length + more.length === 0 && numbers.length === 1;
  if (!isOne || CALLED_OFF.test(bare)) return null;
  const tip = parseTip(`${name} ${sum}`, context);
  if (tip.kind !== 'tip') return tip;
  return mistake('did_you_mean', bare.slice(0, FOUND_MAX), [`/tip ${name} ${sum}${reasonBehind(bare, tip, context)}`]);
}

/** `… for the book` at the end, where it makes no other tip. */
function reasonBehind(bare: string, tip: Tip, context: GrammarContext): string {
  const words = Array.from(bare.matchAll(/\S+/g));
  const last = words.findLastIndex(({ 0: word }) => /[0-9]/.test(word) || readRecipient(word, context).kind !== 'word');
  const from = words.slice(last + 1).find(({ 0: word }) => REASONS.has(word.toLowerCase()));
  const reason = from === undefined ? '' : ` ${bare.slice(from.index).replace(QUESTION_MARKS, '')}`;
  const [whom] = tip.recipients;
  const whole = parseTip(`${recipientName(whom)} ${writtenSum(tip.amount)}${reason}`, context);
  const isSame =
    whole.kind === 'tip' && whole.recipients.length === 1 && writtenSum(whole.amount) === writtenSum(tip.amount);
  return isSame && reason.length < FOUND_MAX ? reason : '';
}

const FOUND_MAX = 60;
const SENTENCE_WORDS_MAX = 40;

/** A name that counts only where its bearer is known. */
function openName(bare: string, context: GrammarContext): Mistake | null {
  const [, name] = /(?:^|[^A-Za-z0-9_.])(@[A-Za-z0-9_.]*[A-Za-z0-9_])(?![:/@])/.exec(bare) ?? [];
  if (name === undefined) return null;
  const { bareNames: _, ...place } = context;
  const reading = readRecipient(name, place);
  return reading.kind === 'mistake' ? nameMistake(reading, sumIn(bare.split(/\s+/))) : null;
}

function givenAfterVerb(bare: string, context: GrammarContext): Mistake | null {
  const words = Array.from(bare.matchAll(/\S+/g));
  const verb = words.slice(0, LEADING_WORDS_MAX).find((word) => isGiving(word[0]));
  if (!verb) return null;
  const rest = bare.slice(verb.index + verb[0].length).trim();
  const meant = rest === '' ? null : tipMeant(rest, context);
  // "how do I send money" has nothing to ask about.
  return meant?.code === 'did_you_mean' || /[0-9@:]/.test(rest) ? meant : null;
}

/** Thanks at the end of a request are for the one who is asked. */
const SAID_TO_US =
  /$(?<=((?:[\s.,!]+(?:thanks|thank you|thx|danke(?: sch[öo]n)?|gracias|obrigad[oa]|ありがとう))+[.!\s]*))/iu;
const QUESTION_MARKS = /(?<![?？])[?？]+$/;

/** The words as a tip; where they are not one, what is wrong with them. */
function tipMeant(words: string, context: GrammarContext): Mistake | null {
  const asked = words.replace(/\s+/g, ' ').replace(QUESTION_MARKS, '');
  const [, said = ''] = SAID_TO_US.exec(asked) ?? [];
  const own = asked.slice(0, asked.length - said.length).trim();
  const command = `/tip ${own}`;
  if (command.length > COMMAND_CHARACTERS_MAX) return null;
  const tip = parseTip(own, context);
  return tip.kind === 'tip' ? mistake('did_you_mean', own, [command]) : tip;
}
