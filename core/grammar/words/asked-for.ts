import { inOrder, type Form } from './in-order.ts';

type AskedFor =
  | 'history'
  | 'deposit'
  | 'balance'
  | 'withdraw'
  | 'claim'
  | 'link'
  | 'help'
  | 'limits'
  | 'language'
  | 'top'
  | 'request';

/** Asked for in a sentence that names nobody and no sum; all of them only show something. */
const ASKED_FOR: readonly (readonly [AskedFor, readonly Form[]])[] = [
  [
    'history',
    [
      inOrder(/\bwh(?:at|o|om)\b/giu, /\bi\b/giu, /\b(?:sen[dt]|spen[dt]|paid|tip(?:ped)?|gave)\b/giu),
      inOrder(/\bhow much\b/giu, /\b(?:sent|spent|paid|tipped|given)\b/giu),
      /\bmy (?:last |recent )?(?:tips|payments)\b/iu,
      inOrder(
        /\b(?:wem|was|wie ?viel)\b/giu,
        /\b(?:geschickt|gesendet|gezahlt|bezahlt|überwiesen|ausgegeben|gegeben)\b/giu,
      ),
      inOrder(
        /(?:qu[eé]|qui[eé]n|cu[aá]nto)\b/giu,
        /(?:envi[eé]|mand[eé]|pagu[eé]|gast[eé]|enviado|mandado|pagado|gastado)/giu,
      ),
      inOrder(/(?:que|quem|quanto)\b/giu, /(?:enviei|mandei|paguei|gastei)\b/giu),
      inOrder(/(?:誰|だれ|何|なに|いくら)/giu, /(?:送った|送金した|払った|使った)/giu),
    ],
  ],
  [
    'deposit',
    [
      inOrder(/\b(?:add|deposit|load|put|top ?up)\b/giu, /\b(?:money|funds|usdc|balance|account|in)\b/giu),
      /einzahl|auflad|入金|チャージ/iu,
      inOrder(
        /\b(?:cargar|recargar|depositar|ingresar|agregar|añadir|meter|colocar|adicionar|botar)\b/giu,
        /\b(?:saldo|dinero|plata|dinheiro|grana|usdc)\b/giu,
      ),
    ],
  ],
  [
    'balance',
    [
      /\b(?:balance|saldo|guthaben|kontostand)\b|残高|いくら(?:ある|残|持)/iu,
      inOrder(/\b(?:do i have|where(?: is|'s|s)|got)\b/giu, /\b(?:money|funds|cash|balance)\b/giu),
      inOrder(/\bhow much\b/giu, /\b(?:have|left|got)\b/giu),
      inOrder(/(?:was|wie ?viel)\b/giu, /\b(?:hab|habe|drauf|übrig)\b/giu),
      inOrder(/cu[aá]nt[oa]s?\b/giu, /\b(?:tengo|queda|hay)\b/giu),
      inOrder(/\bquanto\b/giu, /\b(?:tenho|sobrou|tem)\b/giu),
    ],
  ],
  [
    'history',
    [
      /\b(?:history|transactions|verlauf|umsätze|historial|movimientos|transacciones|movimentos|extrato|extracto|histórico)\b|\b(?:last|recent) (?:tips|payments)\b|letzten? (?:zahlungen|tips)|[uú]ltim[oa]s? (?:pagos|pagamentos)|履歴|取引/iu,
    ],
  ],
  [
    'withdraw',
    [
      inOrder(/\b(?:get|take|pull)\b/giu, /\b(?:money|funds|cash|usdc|it)\b/giu, /\bout\b/giu),
      inOrder(/\btirar\b/giu, /\b(?:dinheiro|grana|saldo)\b/giu),
      /\b(?:withdraw|cash ?out|auszahlen|auszahlung|abheben|retirar|sacar|saque|retiro)\b|出金|引き出|下ろ(?:し|す)|おろしたい/iu,
    ],
  ],
  [
    'claim',
    [
      /\b(?:money|anything|tips?) (?:waiting )?for me\b|\b(?:geld|etwas|was) für mich\b|\balgo (?:para m[ií]|por cobrar|para cobrar)\b|\balgo (?:pra|para) mim\b|\b(?:claim|collect|einlösen|abholen|reclamar|resgatar)\b|受け取/iu,
    ],
  ],
  [
    'link',
    [
      inOrder(
        /\b(?:connect|link|verbinden?|verknüpfen?|conectar?|vincular?)\b/giu,
        /\b(?:twitter|x|github|farcaster|instagram|insta|mail|email)\b/giu,
      ),
      /連携/iu,
    ],
  ],
  [
    'help',
    [
      /\b(?:help|how (?:does|do) (?:this|it|you) work|hilfe|wie (?:geht|funktioniert)|ayuda|c[oó]mo (?:funciona|se usa|lo uso|uso|usar)|ajuda|como (?:funciona|us[ao]r?|faço))\b|\b(?:what (?:is this|can (?:you|this|i)) ?(?:do)?|was kann(?:st du| ich| der bot)|qu[eé] comandos|quais comandos|welche befehle|qu[eé] pued(?:es|o) hacer|o que você faz)\b|何ができ|使い方|ヘルプ/iu,
    ],
  ],
  ['limits', [/\b(?:spending |daily )?limits?\b|\bl[ií]mites?\b|上限/iu]],
  ['language', [/\b(?:language|sprache|idioma|l[ií]ngua)\b|言語|日本語で/iu]],
  ['top', [/\bleader ?board\b|\branking\b|\brangliste\b|ランキング/iu]],
  [
    'request',
    [
      inOrder(/\b(?:owes? (?:me|us)|schuldet (?:mir|uns)|(?:me|nos) deb[ea]n?|(?:me|nos) deve[m]?)\b/giu, /[0-9]/giu),
      inOrder(/\bask\b/giu, /\bfor\b/giu, /[0-9]/giu),
      inOrder(/\b(?:request|frag|fordere|c[oó]bra(?:le|r)?|p[ií]de(?:le)?|pedir|cobra)\b/giu, /[0-9]/giu),
      /請求/iu,
    ],
  ],
];
const ASKED_WORDS_MAX = 12;

/** A command that a line asks for without its name; null where it could be meant to pay. */
export function commandAskedFor(text: string): AskedFor | null {
  if (text.trim().split(/\s+/).length > ASKED_WORDS_MAX) return null;
  const found = ASKED_FOR.find(([, forms]) => forms.some((form) => form.test(text)))?.[0] ?? null;
  // One that names a sum or a person asks for money at most.
  const isPlain = !/[0-9０-９@:]/.test(text);
  const isOnlyShown = (found === 'limits' || found === 'withdraw') && !/[@:]/.test(text);
  return isPlain || isOnlyShown || found === 'request' || found === 'link' ? found : null;
}
