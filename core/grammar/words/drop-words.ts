import { CENTS, DOLLARS, FIRST_OF_PEOPLE, NUMBERS, OTHER_MONEY, PEOPLE } from './vocabulary.ts';

/** What a drop says in words, in fewer of them: how much, how many and how long are left as they were typed. */
export type DropText = {
  text: string;
  /** `1 each`: the sum is for each of them. */
  isEach: boolean;
  /** `20 in total`. */
  isTotal: boolean;
};

const BEFORE = '(?<![\\p{L}\\p{N}])';
const BEHIND = '(?![\\p{L}\\p{N}])';
const words = (...alternatives: readonly string[]) =>
  new RegExp(`${BEFORE}(?:${alternatives.join('|')})${BEHIND}`, 'giu');
const anyOf = (known: Iterable<string>) => [...known].filter((word) => /^\p{L}{3,}$/u.test(word)).join('|');

const UNIT =
  '(?:s|secs?|seconds?|sek(?:unden?)?|segundos?|m|mins?|minut\\p{L}*|h|hrs?|hours?|std|stunden?|hor(?:as?|itas?|inhas?)|days?|tage?|d[ií]as?|weeks?|wochen?|semanas?|months?|monate?|mes(?:es)?)';
const COUNT = `(?:[0-9]{1,4}|${anyOf(NUMBERS.keys())})`;
const COUNTED = `(?:${anyOf([...PEOPLE, ...FIRST_OF_PEOPLE])})`;

/** `every 2 hours` is no share. */
const NO_SPAN = `(?! (?:[0-9]+ ?|\\p{L}+ )?${UNIT}${BEHIND})`;
const ONE = '(?:one|uno|una|um|uma|person|persona|pessoa|quien|participante|ganador|vencedor|winner|user)';
const EACH = [
  words(
    `(?:each|every) ${ONE}`,
    `(?:each|apiece|je|jeweils|jede[rmn]?|p/cabeza)${NO_SPAN}`,
    `(?:(?:a|para|pra|por) |p/ ?)?cada(?: ${ONE})?${NO_SPAN}`,
    '(?:a|per|pro|por|je) (?:share|anteil|slot|spot|platz|plaza|vaga)',
    '(?:x|por|per|pro|je|a) (?:cabeza|cabeça|head|kopf|person|persona|pessoa|nase|winner|gewinner|ganador|usuario|usuário)',
  ),
  /(?<![0-9])1人(?:あたり|につき|に)?\s*(?=[0-9.]+(?:ドル|どる|セント|usdc?))|(?<![0-9])1人(?:あたり|につき)|ずつ|それぞれ|各自|各(?=[0-9])/giu,
] as const;

const SPLITTING =
  '(?:split|shared?|divided?|aufteilen|aufzuteilen|aufgeteilt|geteilt|dividir|dividid[oa]s?|ratear|rachar|rachad[oa]s?)';
const TOTAL = [
  words(
    '(?:in|en|no|em|im) total|ao todo|overall|altogether|all in all|total|in all|insgesamt|gesamt|zusammen|im ganzen',
    `(?:(?:to|zum|zu|a|à|para|pra|pa) (?:be )?)?${SPLITTING}(?: (?:equally|evenly|fairly|gleichmäßig|por igual|igualmente))?`,
  ),
  /合計で?|全部で|総額|山分け(?:で|に)?|シェア(?:で|して)?/gu,
] as const;
/** Of handing out, whether each gets the sum or a part of it. */
const HANDING_OUT = [
  words(
    '(?:(?:to|zu|a|à|para|pra|pa) )?(?:verteilen|verteilt|verteile?|repart(?:ir|e|o|imos|id[oa]s?)|distribu(?:ir|i|o|a|ye|yo)|hand(?:ed)? out|give away|raus)',
    'equally|evenly|gleichmäßig|por igual|igualmente',
    '(?:can|will|shall)(?= (?:get|receive|win|have|grab))|(?:gets?|receives?|wins?|have|has)(?= )',
    "let'?s (?:do|drop|give|share)|(?:i|i'?ll|i want to|i will|i'd like to) (?:give|drop|share)|ich (?:gebe?|verteile|möchte|will)|aus(?= (?:für|an|unter|auf) )",
    '(?:vou|quero) (?:dar|distribuir|soltar)|(?:voy a|quiero) (?:dar|repartir|regalar)',
    'kriegen|kriegt|bekommen|bekommt|erhalten|gewinnen|gewinnt|es gibt|gibt es|gibts|gibt',
    'doy|regalo|ganan?|reciben?|se llevan?|llevan?|tiro|dou|ganham?|recebem?|levam?|pegam?|solto',
    '(?:les|lhes)(?= (?:doy|dou|regalo|mando))|(?:a|para|pra)(?= (?:los|las|os|as) )',
    'lucky|glückliche[rn]?|afortunad[oa]s|sortud[oa]s|(?:of|von|de) (?:you|us|euch|uns|ustedes|vosotros|vocês|nós)',
  ),
  /(?:プレゼント|お?配り|配布|配(?:る|って|り)|ばらま(?:き|く)|あげ(?:る|ます)|渡(?:す|して)|もら(?:える|えます)|分け(?:て|る|合って)|均等に)\p{sc=Hiragana}*/gu,
] as const;

/** `up to 6 people` are six. */
const AT_MOST = new RegExp(
  `${BEFORE}(?:up to|at most|max\\.?|maximum|maximal|höchstens|bis zu|hasta|máximo(?: de)?|no máximo|até|a maximum of) (?=${COUNT} ${COUNTED}${BEHIND})`,
  'giu',
);
const MOST_BEHIND = new RegExp(
  `(?<=${COUNT} ${COUNTED}) (?:max\\.?|maximum|maximal|at most|tops|máximo|como máximo|no máximo|höchstens)${BEHIND}`,
  'giu',
);
/** `split by 6`, `aufgeteilt auf 5`. */
const SPLIT_BY = new RegExp(
  `${BEFORE}(${SPLITTING}|verteilt|verteilen|repartir|repartid[oa]s?) (?:by|in|into|between|among|across|auf|durch|unter|zwischen|an|entre|en|em|por|pra|para) (?:the |los |las |os |as |die )?(${COUNT})(?: (?:ways|parts|teile|partes))?(?! ?(?:${UNIT}|${COUNTED})${BEHIND})${BEHIND}`,
  'giu',
);

/** `ends in`, `bis in`, `abierto por`: before how long. */
const LASTING = new RegExp(
  `${BEFORE}(?:${[
    '(?:it )?(?:is )?(?:open|opens|lasts?|ends?|ending|closes?|closing|expires?|valid|stays? open|runs?)(?: (?:for|in|within|after))?|time|you have',
    '(?:läuft|offen|gültig|geht|endet|gilt|dauert|zeit|schluss|ihr habt)(?: (?:für|in|nach))?|bis(?: in)?',
    '(?:abierto|dura|vale|válido|termina|acaba|cierra|tienen)(?: (?:por|en|durante|unos))?|hasta(?: en)?|plazo|tiempo',
    '(?:aberto|fecha|encerra|(?:vocês )?têm)(?: (?:por|em|durante))?|até|por|prazo|tempo',
  ].join('|')}):? (?=${COUNT} ?${UNIT}${BEHIND})`,
  'giu',
);
const BEHIND_TIME = new RegExp(
  `(?<=[0-9] ?${UNIT} )(?:time|long|only|lang|zeit|offen|gültig|de tiempo|de tempo|solo|só|left)${BEHIND}`,
  'giu',
);

/** All who come first; any other condition is one that only a person can check. */
const TAKING =
  '(?:grab|catch|get|take|claim|click|press|tap|react|come|show up|klick|drück|schnapp|nehm|zugreif|reagier|komm|meld|pill|coj|cog|agarr|toqu|puls|apret|aprieten|reaccion|llegu|cliqu|clic|peg|apert|reag|cheg|despi?ert|acord|wake|aufwach)\\p{L}*';
const BESIDE_TAKING =
  '(?:lo|la|los|las|o|os|it|this|es|das|se|me|sich|zu|hier|here|first|zuerst|primero|primeiro|antes|fast|quickly|schnell|rápido|am|schnellsten|botón|botão|button|knopf|el|the|den|on|en|no|auf)';
const COMING = [
  words(
    `(?:who|whoever|those who|that|que|q|die|wer|quem|quienes|to) (?:${BESIDE_TAKING} )*${TAKING}(?: ${BESIDE_TAKING})*`,
    "(?:whoever|whoever's|those who|wer|el que|la que|quien|quienes|los que|quem|os que) (?:(?:is|are|ist|sind|am|sea|sean|for|forem|llegue|lleguen|chegar|chegarem|kommt|lo|o|pille|pegar|pegue|coja|agarre) )*(?:the )?(?:first|fastest|quickest|zuerst|ersten?|schnellsten?|primero|primeiro|antes|más rápido|mais rápido)(?: (?:ist|kommt|llegue|chegar))?",
    'first come(?: ,)? first serve[d]?|wer zuerst kommt(?: ,)? mahlt zuerst|por orden de llegada|por ordem de chegada',
  ),
  /早い(?:者|もの)(?:勝ち|順)(?:で|に)?|先着順(?:で|に)?|限定(?:で|に)?|受付|締め?切り?|以内(?:に|で)?/gu,
] as const;

const KANJI_COUNT =
  /(?<![一二三四五六七八九十])(?!十分(?!間))[一二三四五六七八九十]+(?=人|名|分|時間|ドル|どる|セント)/gu;

const isFound = (text: string, forms: readonly RegExp[]) => forms.some((form) => text.search(form) >= 0);
const without = (text: string, forms: readonly RegExp[]) =>
  spaced(forms.reduce((left, form) => left.replace(form, ' '), text));
const spaced = (text: string) => text.replace(/\s+/g, ' ').trim();

export function readDropText(typed: string): DropText {
  const digits = typed
    .replace(/(?<=\b(?:centavos?|c[eé]ntimos?|cents?)) (?:de|of an?|of) (?:d[oó]lar(?:es)?|dollars?)\b/giu, '')
    .replace(/ひとり/gu, '1人')
    .replace(KANJI_COUNT, (count) => String(NUMBERS.get(count) ?? count))
    .replace(/(?<![0-9.])([0-9]{1,4})ドル([0-9]{2})セント/gu, '$1.$2ドル')
    .replace(/最初の/gu, '先着 ')
    .replace(/[()[\]「」]/g, ' , ')
    .replace(/[,;](?=\s|$)|[、；]/g, ' , ')
    .replace(/(?<![!！。…])[!！。…]+(?=\s|$|[\p{sc=Han}0-9])/gu, ' ');
  const plain = withoutOccasion(timesInDigits(spaced(digits)))
    .replace(AT_MOST, '')
    .replace(MOST_BEHIND, '')
    .replace(SPLIT_BY, '$1 $2 people');
  const withoutEach = without(plain, EACH);
  const left = without(withoutEach, TOTAL).replace(LASTING, '').replace(BEHIND_TIME, ' ');
  return {
    text: without(left, [...COMING, ...HANDING_OUT, /(?<=\s|^),(?=\s|$)/g]),
    isEach: isFound(plain, EACH),
    isTotal: isFound(withoutEach, TOTAL),
  };
}

const TIMES: readonly (readonly [RegExp, string])[] = [
  [
    words(
      '(?:an?|one) hour and a half|(?:an?|one) and a half hours|(?:eine )?(?:anderthalb|eineinhalb) stunden?|(?:una )?hora y media|(?:uma )?hora e meia',
    ),
    '90m',
  ],
  [
    words(
      'half (?:an )?hour|(?:eine[rn]? )?halben? stunde|(?:una )?media hor(?:a|ita)|(?:uma )?meia hor(?:a|inha)|half hour',
    ),
    '30m',
  ],
  [
    words('(?:a )?quarter (?:of an )?hour|(?:eine )?viertelstunde|(?:un )?cuarto de hora|(?:um )?quarto de hora'),
    '15m',
  ],
  [
    words(
      '(?:an|one|eine[rn]?|una|uma|(?:for )?the next|la próxima|a próxima|die nächste) (?:hour|stunde|hora|horita|horinha)',
    ),
    '1h',
  ],
  [/半時間/gu, '30m'],
];

const HOURS = '(?:h|hrs?|hours?|std|stunden?|horas?|時間)';
const MINUTES = '(?:m|mins?|minut\\p{L}*|分間?)';
/** `1 hour and 30 minutes`, `1h30`, `1時間半`, `1,5 Stunden`. */
const HOURS_AND_MINUTES: readonly (readonly [RegExp, (hours: number, minutes: number) => number])[] = [
  [
    new RegExp(
      `(?<![0-9.,])([0-9]{1,2}) ?${HOURS} ?(?:(?:and|und|y|e) )?([0-9]{1,2}) ?${MINUTES}(?![a-zà-ÿ0-9])`,
      'giu',
    ),
    (hours, minutes) => hours * 60 + minutes,
  ],
  [/(?<![0-9.,])([0-9]{1,2})h([0-5][0-9])(?![\p{L}0-9])/giu, (hours, minutes) => hours * 60 + minutes],
  [/(?<![0-9.,])([0-9]{1,2})時間半()/gu, (hours) => hours * 60 + 30],
  [new RegExp(`(?<![0-9.,])([0-9]{1,2})[.,]5 ?${HOURS}(?![a-zà-ÿ0-9])()`, 'giu'), (hours) => hours * 60 + 30],
];

/** Times in words. */
const timesInDigits = (text: string): string =>
  HOURS_AND_MINUTES.reduce(
    (left, [form, read]) =>
      left.replace(form, (_, hours: string, minutes: string) => `${read(Number(hours), Number(minutes))}m `),
    TIMES.reduce((left, [form, digits]) => left.replace(form, digits), text),
  );

/** `happy friday!`, `por mi cumple`: why it is given, at the end. */
const OCCASION = new RegExp(
  `(?<=[\\s,])(?:${[
    'happy|because|cause|cuz|to celebrate|celebrating|thanks|thank you|cheers|enjoy|have fun|good luck|hurry|go+ go+|let.?s g+o+|gg+|love you',
    'frohe[sn]?|schöne[ns]?|weil|zum|zur|danke|viel (?:spaß|glück|erfolg)|alles gute|beeilt euch|auf gehts|los gehts|haut rein',
    'feliz|buen[oa]?s?|porque|pq|por (?:mi|el|la|ser|nuestr[oa])|gracias|suerte|disfr\\p{L}+|vamos|corran|que (?:lo )?disfruten',
    'bo[am]s?|pelo|pela|por (?:meu|minha|ser)|valeu|obrigad[oa]|sorte|aproveitem|corram|bora|parabéns',
    '(?<=\\s|^[^\\s,]*,)\\S*(?:おめでとう|ありがとう|お祝い|記念|楽しんで|どうぞ|急いで|早く)',
  ].join('|')})(?![\\p{L}\\p{N}](?<![\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]))[^0-9]*$`,
  'iu',
);
/** What would make another drop of it. */
const CONDITION =
  /(?<![\p{L}\p{N}])(?:not|no|don'?t|nicht|kein\p{L}*|não|nao|nunca|never|each|every|per|daily|weekly|monthly|cada|je|jede\p{L}*|täglich|diario|diário|only|nur|solo|sólo|só|if|when|wenn|falls|si|se|after|nach|except|without|ohne|sin|sem|or|oder|until|bis|hasta|até)(?![\p{L}\p{N}])|まで|ない|毎/iu;

function withoutOccasion(text: string): string {
  // No digit follows it, so it begins in the word with the last one or behind that.
  const from = text.lastIndexOf(' ', text.search(/[0-9][^0-9]*$/));
  const [said = ''] = OCCASION.exec(text.slice(Math.max(0, from))) ?? [];
  const isMore = said
    .toLowerCase()
    .split(/[^\p{L}\p{N}$€£¥]+/u)
    .some((word) => (NUMBERS.get(word) ?? 0) > 1 || DOLLARS.has(word) || CENTS.has(word) || OTHER_MONEY.has(word));
  return said === '' || isMore || CONDITION.test(said) ? text : text.slice(0, text.length - said.length);
}
