import { mistake, type Mistake } from './mistakes.ts';
import { isOneSlip } from './near.ts';
import type { GrammarContext } from './recipient.ts';
import { parseTip } from './tip.ts';
import { GIVING } from './vocabulary.ts';

/** Commands by their own names, and what they are called in each language. */
const WORDS = {
  tip: 'trinkgeld propina gorjeta チップ',
  drop: 'verteilen repartir distribuir 配る',
  request: 'anfordern solicitar pedir リクエスト 請求',
  pay: '',
  balance: 'saldo guthaben kontostand 残高',
  deposit: 'einzahlen aufladen depositar recargar ingresar 入金 チャージ',
  wallet: 'wallets cartera billetera carteira ウォレット',
  withdraw: 'auszahlen abheben retirar sacar 出金 引き出し',
  limits: 'limit límites límite limites limite 上限',
  lock: 'sperren bloquear ロック',
  unlock: 'entsperren desbloquear ロック解除',
  history: 'verlauf historial histórico historico 履歴',
  privacy: 'datenschutz privacidad privacidade プライバシー',
  block: 'blockieren blocken ブロック',
  settings: 'einstellungen ajustes configuración configuracion configurações configuracoes 設定',
  top: 'rangliste clasificación clasificacion classificação classificacao ランキング',
  treasury: 'tesorería tesouraria gruppenkasse',
  reward: 'belohnung recompensa 報酬',
  language: 'sprache idioma 言語',
  claim: 'abholen cobrar reclamar resgatar 受け取り 受け取る',
  link: 'verknüpfen vincular 連携',
  help: 'hilfe ayuda ajuda ヘルプ',
  start: '',
} as const;

export type CommandName = keyof typeof WORDS;

const COMMANDS: ReadonlyMap<string, CommandName> = new Map(
  (Object.entries(WORDS) as [CommandName, string][]).flatMap(([name, words]) =>
    [name, ...words.split(' ')].filter((word) => word !== '').map((word) => [word, name] as const),
  ),
);

const set = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const UNDOING = set('undo revert refund unsend rückgängig zurück stornieren deshacer desfazer reembolso 取り消し 取消');
const ASKING = set('support contact faq commands menu info kontakt contacto contato suporte soporte サポート');
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
export function nearCommand(text: string, context: GrammarContext): Mistake | null {
  const bare = text.trim().replace(/^[/／!！]+/, '');
  const [word = '', ...others] = bare.split(/\s+/);
  const first = word.toLowerCase();
  if (UNDOING.has(first)) return mistake('undo_is_a_button', word, ['/history']);
  if (ASKING.has(first)) return mistake('did_you_mean', word, ['/help']);
  const given = givenAfterVerb(bare, context);
  if (given !== null) return given;
  const slip = [...COMMANDS].find(([known]) => known.length > 2 && isOneSlip(known, first))?.[1];
  if (slip === 'tip') return others.length === 0 ? null : tipMeant(others.join(' '), context);
  if (slip !== undefined) return mistake('did_you_mean', word, [`/${slip}`]);
  const whole = parseTip(bare, context);
  return whole.kind === 'tip' ? tipMeant(bare, context) : null;
}

function givenAfterVerb(bare: string, context: GrammarContext): Mistake | null {
  const words = Array.from(bare.matchAll(/\S+/g));
  const verb = words.slice(0, LEADING_WORDS_MAX).find((word) => GIVING.has(word[0].toLowerCase()));
  if (!verb) return null;
  const rest = bare.slice(verb.index + verb[0].length).trim();
  const meant = rest === '' ? null : tipMeant(rest, context);
  // "how do I send money" has nothing to ask about.
  return meant?.code === 'did_you_mean' || /[0-9@:]/.test(rest) ? meant : null;
}

/** The words as a tip; where they are not one, what is wrong with them. */
function tipMeant(words: string, context: GrammarContext): Mistake | null {
  const own = words
    .replace(/\s+/g, ' ')
    .replace(/[?？]+$/, '')
    .trim();
  const command = `/tip ${own}`;
  if (command.length > COMMAND_CHARACTERS_MAX) return null;
  const tip = parseTip(own, context);
  return tip.kind === 'tip' ? mistake('did_you_mean', own, [command]) : tip;
}
