/**
 * The words of all languages, side by side: a person types in whatever language they like, wherever they are. A word
 * stands here only if it means the same in every language that has it; all else is asked about.
 */
export const list = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Between an amount and a name: `5 to x:alice`. */
export const TOWARDS = list(
  'to for an für fuer zu a à para al pra pro pros pras ao pa pal p/ hacia → -> に へ で さん くん 君 ちゃん 様 さんに さんへ を の between among zwischen unter entre',
);
/** Of these, what is something else in another language: `a 5 star talk`. */
export const ARTICLE_TOO = list('a an à al ao zu pro');
export const JOINING = list('and & + , und y e と plus さんと くんと 君と ちゃんと 様と');
export const EACH = list('each ea apiece je jeweils jeder jede jedem cada c/u c/um ずつ 各 それぞれ');
export const SPLIT = list(
  'split shared divided equally evenly gleichmäßig gleichmaessig igual iguales geteilt teilen aufgeteilt aufteilen dividido dividida dividir dividan dividam repartido repartida repartir repartan rateado rachado ratear rachar total together altogether insgesamt zusammen juntos ' +
    'divide teile teilt verteil verteile reparte divida rateia racha 合計 割り勘 割り勘で 分けて 分けて! 分けてください 割って 割って! 割ってください 等分 等分で 山分け 山分けで 折半',
);
/** After `each`: `cada uno`. */
export const EACH_ONE = list('one person of uno una um uma quien persona pessoa');
/** `@alice and @bob share 9`: between people and their sum. */
export const SHARING = list(
  'share teilen comparten reparten dividen dividem racham repartem partilham シェア シェアで',
);
/** `split 10 evenly`: beside another word for it. */
export const EVENLY = list('equally evenly fairly gerecht gleichmäßig gleichmaessig igual iguales igualmente');
/** `30 aufteilen auf`: only behind such a word. */
export const AFTER_SPLIT = list('by auf durch unter an por em in');
/** `split with bob` is not a sharing that we can do. */
export const SPLIT_WITH = list('with mit con com between zwischen entre');

export const ALL = list('all max everything alles todo tudo 全部 全額 ぜんぶ');
export const HALF = list('half hälfte haelfte mitad metade 半分 半額');
export const ARTICLES = list('the die la a');
/** `half a dollar`: half of one dollar, not of all that there is. */
export const HALF_OF_ONE = list('half halber halben ein-halber medio meio 半');
/** A number only together with a unit: `a dollar`. */
export const ONE_OF = list('a an ein einen eine n nen un una um uma');

export const DOLLARS = list(
  '$ us$ $us usd usdc usd$ dollar dollars buck bucks dólar dólares dolar dolares bux dols dolla dollas dolarcito dolarcitos dólarcito dolaritos dolarzinho dolarzinhos dol dól dlr dlrs dls dlls ドル 米ドル どる us-dollar',
);
export const CENTS = list('¢ c ct cts cent cents centavo centavos céntimo céntimos centimo centimos セント');
/** These words mean another number. Read as a note, they would send the wrong sum. */
export const SCALES = list(
  'k m mm b bn mio hundred thousand grand million billion dozen hundert tausend million millionen mil cien cientos cem millón millones milhão milhões mille 百 千 万 億',
);
/** `mil gracias` and `tausend Dank` are no thousand dollars. */
export const THANKS = /^(?:thank|thx|cheers|dank|gracias|obrigad|abraz|abraç|bes|kiss|küss|grüß)/u;
/** What is counted is not money: `5 coffees` may be any sum. Neither is what would have to happen again. */
export const COUNTED = list(
  'times time twice thrice zweimal people persons % percent hours hour minute minutes day days week weeks month months year years star stars course points likes coffee coffees beer beers pizza pizzas pennies tokens coins credits quarter quarters dime dimes nickel nickels smackers clams dough pavos varos lucas mangos palos pila pilas conto contos pau paus or ' +
    'mäuse kröten piepen tacken öcken flocken mal leute personen prozent stunden tage wochen kaffee kaffees bier biere oder bis ' +
    'veces personas horas días semanas café cafés cafe cafes cerveza cervezas o por-ciento por-cento ' +
    'vezes pessoas dias cerveja cervejas ou 回 人 杯 本 枚 時間 日 つ 個 パーセント 倍',
);
/** Of these, what a tip may be for. */
export const THINGS = list(
  'coffee coffees beer beers pizza pizzas kaffee kaffees bier biere café cafés cafe cafes cerveza cervezas cerveja cervejas',
);
/** Slips and pet names of a unit, behind a sum. */
export const LIKE_DOLLARS = ['dollar', 'dollars', 'dolar', 'dolares', 'dólares'];
export const LIKE_EUROS = /^(?:eur[io]t[io]s?|eurinhos?|eurillos?|euross|euors|erous|eruos)$/u;
/** After `all` or a number in words nothing else may follow: `all the best` is a wish. */
export const REASONS = list(
  'for because thanks thank thx ty cheers für fürs fuer fuers wegen weil danke dank para por porque gracias obrigado obrigada valeu brigado brigada pelo pela ありがとう thankyou',
);
/** Behind `and` or `not` a number is another sum. */
export const INSTEAD = list(
  'con com mit with point komma not no wait sorry oops nicht nein doch nee não ops espera perdón perdão',
);
/** `bob too`. */
export const ALSO = list('too also aswell auch ebenfalls también tambien também tambem も');
/** Behind the names of several people: what they get in all, or each. */
export const AMONG = list('between among in en no em zwischen unter entre both them');
/** Words before an amount that are not names. */
export const LOOSE = list(
  'with of worth about around exactly only just up maybe like mit etwa ca circa genau nur con unos solo exactamente com uns só apenas or oder not nicht ' +
    'max min maximum minimum maximal minimal mindestens wenigstens fast hasta casi quase under over roughly almost nearly',
);
/** Before the sum and the name: `send 5 to x:alice`. */
export const GIVING = list(
  'send give transfer tip tipp donate gift shoot slide toss throw sende send senden schick schicke schicken gib gebe überweise spende ' +
    'überweis überweisen ueberweise zahl zahle zahlen bezahl wirf geben schenk schenke pay pass ' +
    'envía envia enviar manda mandar mándale mandale envíale enviale pásale pasale pasa pasar paga págale pagale páguele pagar enviar transferir mandá pasá pagá tirale tírale da dar darle dale regala regalar regálale transfiere ' +
    'dá dê envie mande mandar enviar doa doar transfira transfere joga jogar pague pagar passa passar solta 送る 送って',
);
/** Between a sum and people who share it. */
export const BETWEEN = list('between among zwischen unter entre');
/** Before a name or a sum, without a meaning of their own. */
export const FILLERS = list(
  'mal ma doch eben kurz hier dem der den sie ihr al le lo el toma tomá toman son van nimm kriegt bekommt erhält take takes gets receives recibe recebe ganha leva aquí aqui va my here heres meu minha mi aí ai',
);
/** Where people have names or accounts that cannot be paid here. */
export const OTHER_PLACES = list(
  'venmo paypal cashapp zelle revolut bizum wise tiktok youtube facebook linkedin reddit bluesky bsky mastodon threads twitch ' +
    'snapchat whatsapp steam line signal ティックトック ユーチューブ',
);
/** Before the hour: `see you at 5` is no sum. */
export const AT_TIME = list('at um gegen las às ás');
/** Words for people that are not names to pay. */
export const NO_NAMES = list(
  'me us him her them you everyone everybody all here mich uns ihm ihr alle todos todas mim nós みんな',
);
/** Anyone: nobody is named. */
export const ANYONE = list(
  'anyone anybody whoever everyone everybody someone somebody all jede jeder jedem jeden alle allen wer irgendwer irgendwem irgendwen jemand jemandem todos todas quien quienes quienquiera cualquiera alguien quem qualquer alguém alguem todo toda みんな 皆 皆さん 全員 誰か 誰でも だれか だれでも',
);
/** Before those who are asked for money. */
export const FROM = list('from von de del do da dos das of');
/** `mándale`, `enviarles`, `regálale`: a verb of giving and whom it is for in one word. */
const GIVING_TO =
  /^(?:m[aá]nd|env[ií]|p[aá]s|p[aá]gu?|reg[aá]l|t[ií]r|g[ií]r|transf(?:er|ier|ir))(?:ar|er|ir|a|á|e|é|ía|íe|eme)?(?:le|les|lhe|lhes)$/u;

/** Whether a word asks to give. */
export const isGiving = (word: string): boolean => GIVING.has(word.toLowerCase()) || GIVING_TO.test(word.toLowerCase());

export const COURTESY = list(
  'please pls plz bitte bitteschön please! よろしく よろしくお願いします 頼む nomás nomas por-favor porfa porfavor pfv pf faz-favor faz favor se-faz-favor すみません お願いします お願い ください 送って 送る 払って',
);

const NUMBER_LISTS = [
  'zero one two three four five six seven eight nine ten',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez',
  'zero um dois três quatro cinco seis sete oito nove dez',
  '零 一 二 三 四 五 六 七 八 九 十',
  '_ _ duas tres _ fuenf',
  '_ _ zwo',
] as const;

const TENS = {
  11: 'eleven elf onze',
  12: 'twelve zwölf doce doze',
  13: 'thirteen dreizehn trece treze',
  14: 'fourteen vierzehn catorce catorze quatorze',
  15: 'fifteen fünfzehn quince quinze',
  16: 'sixteen sechzehn dieciséis dezesseis',
  17: 'seventeen siebzehn diecisiete dezessete',
  18: 'eighteen achtzehn dieciocho dezoito',
  19: 'nineteen neunzehn diecinueve dezenove',
  20: 'twenty zwanzig veinte vinte 二十',
  25: 'fünfundzwanzig veinticinco',
  30: 'thirty dreißig dreissig treinta trinta 三十',
  40: 'forty vierzig cuarenta quarenta 四十',
  50: 'fifty fünfzig fuenfzig fuffzig cincuenta cinquenta 五十',
  60: 'sixty sechzig sesenta sessenta 六十',
  70: 'seventy siebzig setenta 七十',
  75: 'fünfundsiebzig',
  80: 'eighty achtzig ochenta oitenta 八十',
  90: 'ninety neunzig noventa 九十',
};

const KANJI = '一二三四五六七八九';
/** `十五`, `二十五`. */
const IN_KANJI = Array.from({ length: 89 }, (_, index): readonly [string, number] => {
  const value = index + 11;
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  return [`${tens === 1 ? '' : KANJI[tens - 1]}十${ones === 0 ? '' : KANJI[ones - 1]}`, value];
});

const ONES_IN = {
  english: 'one two three four five six seven eight nine',
  german: 'ein zwei drei vier fünf sechs sieben acht neun',
};
/** `twenty-five`, `fünfundzwanzig`. */
const IN_ONE_WORD = [2, 3, 4, 5, 6, 7, 8, 9].flatMap((tens) => {
  const [english = '', german = ''] = (TENS[(tens * 10) as keyof typeof TENS] ?? '').split(' ');
  return Array.from({ length: 9 }, (_, one): (readonly [string, number])[] => [
    [`${english}-${ONES_IN.english.split(' ')[one]}`, tens * 10 + one + 1],
    [`${ONES_IN.german.split(' ')[one]}und${german}`, tens * 10 + one + 1],
  ]).flat();
});

/** Notes and coins by their nicknames; which money they are of, only the payer can say. */
export const NICKNAMED: ReadonlyMap<string, number> = new Map([
  ['fiver', 5],
  ['tenner', 10],
  ['quarter', 0.25],
  ['dime', 0.1],
  ['fünfer', 5],
  ['zehner', 10],
  ['zwanni', 20],
  ['zwanziger', 20],
  ['fuffi', 50],
  ['cinquinho', 5],
  ['dezão', 10],
  ['dezao', 10],
  ['vintão', 20],
  ['vintao', 20],
]);

/** Numbers in words, as far as tips go. */
export const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...IN_KANJI,
  ...IN_ONE_WORD,
  ...NUMBER_LISTS.flatMap((words) => words.split(' ').map((word, value) => [word, value] as const)),
  ...Object.entries(TENS).flatMap(([value, words]) => words.split(' ').map((word) => [word, Number(value)] as const)),
]);

/** A price in one word: `dreifuffzich`. */
export const PRICE =
  /^(eins|zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun)((?:zwanz|dreiß|dreiss|vierz|fünfz|fuenfz|fuffz|sechz|siebz|achtz|neunz)i(?:g|ch))$/u;

/** Other money, by its code; null where no operator could have a rate for it, or where several bear the name. */
const OTHER: readonly (readonly [code: string | null, words: string])[] = [
  ['EUR', 'eur euro euros € ユーロ'],
  ['GBP', 'gbp pound pounds £ quid sterling pfund libra libras ポンド'],
  ['JPY', 'jpy yen ¥ 円'],
  ['BRL', 'brl r$ real reais'],
  ['INR', 'inr ₹ rupee rupees rs'],
  ['CHF', 'chf franken sfr'],
  ['CAD', 'cad c$ ca$ canadian kanadische'],
  ['AUD', 'aud a$ au$ australian australische'],
  ['MXN', 'mxn mx$'],
  ['CNY', 'cny rmb yuan 元'],
  ['KRW', 'krw won ₩'],
  ['SEK', 'kronor クローナ'],
  ['DKK', 'kroner'],
  ['RUB', 'ruble rubles rouble roubles rubel rublo rublos ルーブル'],
  ['PLN', 'zloty zlotys złoty złotych zł'],
  ['PEN', 'soles'],
  ['TRY', 'lira liras lire ₺ リラ'],
  ['HUF', 'forint forints'],
  ['ZAR', 'rand'],
  ['THB', 'baht バーツ'],
  ['ILS', 'shekel shekels ₪'],
  ['NGN', 'naira'],
  ['UAH', 'hryvnia ₴'],
  ['IDR', 'rupiah'],
  ['VND', 'dong ₫'],
  ['MYR', 'ringgit'],
  ['PHP', '₱'],
  [
    null,
    'kr krone kronen krona corona coronas coroa coroas dirham dirhams dinar dinars franc francs franco francos フラン ルピー ウォン 人民元 ペソ cedi cedis shilling shillings lei lev leva colones guaraníes guaranies bolívares bolivares quetzales lempiras ada ltc litecoin avax shib trx xlm bch xmr dai busd pyusd eurc satoshi gwei wei lamports ビットコイン ' +
      'eth ether ethereum btc bitcoin bitcoins sol solana usdt tether satoshis bnb xrp dogecoin sat sats matic doge peso pesos hk$ s$ nt$ nz$ hkd sgd nzd singapore',
  ],
];

/** The codes of ISO 4217 that are words of no language here. */
const CODES =
  'aed afn amd aoa ars awg azn bbd bdt bgn bhd bif bmd bnd bov brl btn bwp byn bzd cdf chw clp cny cop czk djf dkk dzd egp etb eur fjd fkp gbp ghs gmd gtq gyd hkd hnl htg huf idr ils inr iqd irr isk jmd jod jpy kes kgs khr kmf kpw krw kwd kyd kzt lbp lkr lrd lsl lyd mdl mkd mmk mnt mru mvr mwk mxn mxv myr mzn ngn nok npr nzd pgk pkr pln pyg qar rsd rub rwf sbd sek sgd shp sle srd ssp stn syp szl thb tjs tmt tnd ttd twd tzs uah ugx uyi uyu uyw uzs ved ves vnd vuv wst xaf xcd xcg xof xpf yer zar zmw zwg';
/** The others: `mad skills`, `try harder`. */
export const TAKEN_FOR_CODES = list(
  'ang bob bsd cou crc cup cve dop ern gel gip gnf lak mad mga mop mur nad nio omr pab pen php sar scr sdg svc try clf',
);
/** Alone, these are a wish. */
export const WISHES_LIKE_CODES = list('all top bam ron che sos');

export const OTHER_MONEY: ReadonlyMap<string, string | null> = new Map([
  ...CODES.split(' ').map((word) => [word, word.toUpperCase()] as const),
  ...OTHER.flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)),
]);

/** A number of people, and what leads to it: `5 for 10 people in 1h`. */
export const PEOPLE = list(
  'people persons members ppl folks users winners friends leute leuten personen menschen mitglieder mitgliedern gewinner gewinnern freunde freunden personas gente miembros usuarios ganadores amigos pessoas membros usuários vencedores ganhadores mann kollegen colegas amigas compañeros spots spot slots seats claimers takers heads peeps guys buddies mates plätze plätzen köpfe cupos plazas lugares compas cabezas vagas cabeças participantes teilnehmer teilnehmern participants 人 名 人に 名に',
);
export const LEADING_TO_PEOPLE = list(
  'for to among between in within during the next next los las os as die den pros pras vale valid gilt dura für an unter auf zwischen binnen innerhalb während durante com pra pro pa para entre en por em dentro de で に 間',
);

/** `the first 5`, `los primeros 6`. */
export const FIRST_OF_PEOPLE = list(
  'first fastest quickest earliest ersten schnellsten primeros primeras primeiros primeiras rápidos rápidas rapidos rapidas 先着',
);

/** Between a sum and an address. */
export const ABOUT_PLACES = list(
  'on my the this address wallet auf meine meinem die adresse mi la esta dirección direccion cartera meu minha o endereço endereco carteira アドレス ウォレット まで',
);

/** Turned on or off. */
export const ON = list('on an ein sí si sim ligar オン');
export const OFF = list('off aus no não nao desligar オフ');

/** `note:` and the rest of the line is one, whatever stands in it. */
export const NOTE_MARK = /^(?:note|notiz|nota|mensaje|mensagem|メモ|ひとこと)[:：]/i;
