const list = (text: string): readonly string[] => text.split(/\s+/);

/** Things that people are paid for. None of them is money, a person, or a doubt. */
const THINGS = list(
  'work job task tasks milestone milestones feature features bug bugs issue issues ticket tickets pr prs pull request requests patch patches ' +
    'fix fixes hotfix commit commits merge branch build builds pipeline pipelines ci check checks tests lint docs documentation readme typo typos ' +
    'changelog guide tutorial parser library plugin script dataset label labels bounty notification review reviews report triage audit design designs ' +
    'logo icon icons banner illustration illustrations drawing art photo photos shoot cover video clip stream episode podcast interview talk panel ' +
    'workshop lecture keynote slides meetup hackathon conference sprint contest survey questionnaire form feedback discussion question questions ' +
    'answer answers call translation translations proofreading subtitles article articles post thread cast newsletter essay recipe hunt code page pages',
);
const DOING = list(
  'answering fixing reviewing writing translating proofreading editing designing hosting moderating labelling drawing recording organising ' +
    'organizing maintaining triaging reporting solving closing improving',
);
/** How work is reported once it is done. A payment that was made is none of the things above. */
const DONE: ReadonlySet<string> = new Set(
  list('done complete completed finished accepted merged green passed present delivered resolved approved ready'),
);
const BETWEEN = list('in of for the a an our your this and is are has have been all');
const NOTED: ReadonlySet<string> = new Set([...THINGS, ...DOING, ...BETWEEN]);
const KNOWN: ReadonlySet<string> = new Set([...NOTED, ...DONE]);
/** `#88`, `88121`, `9fe01c2`. */
const IDENTIFIER = /^(?:#\d{1,6}|\d{3,}|(?=[a-f]*\d)[0-9a-f]{7,40})$/i;

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,:]+/)
    .filter((word) => word !== '');

/** `typo fix in README, PR #88`: what something is for, in words that cannot mean anything else. */
export function isAboutWork(text: string): boolean {
  const words = wordsOf(text);
  const isNamed = words.some((word) => THINGS.includes(word) || DOING.includes(word));
  return isNamed && words.every((word) => NOTED.has(word) || IDENTIFIER.test(word));
}

/** `pipeline 88121 green, merge commit 9fe01c2`: that work is there. */
export function isReport(text: string): boolean {
  const words = wordsOf(text);
  // `is it done` asks.
  if (/^(?:is|are|has|have)\b/i.test(text.trim())) return false;
  return words.some((word) => DONE.has(word)) && words.every((word) => KNOWN.has(word) || IDENTIFIER.test(word));
}

export const THING = `(?:${THINGS.join('|')})`;
const DID =
  '(?:answered|reviewed|fixed|wrote|completed|finished|translated|designed|edited|proofread|delivered|drew|recorded|solved|resolved)';
/** `⟦n0⟧ answered our questionnaire; she is owed ⟦s0⟧`. */
export const OWED = new RegExp(
  `(?<=⟦n\\d+⟧ )(?:has |have )?${DID} (?:our|the|my|your|this) ${THING}(?: ${THING})?[;,.] ?(?:and )?(?:she|he|they) (?:is|are) owed (?=⟦s\\d+⟧)`,
  'gi',
);
