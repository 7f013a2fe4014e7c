/** A page under a person’s name, the form of everybody else, and what its owner reads where they switch it on. */
export const tipPageEn = {
  /** For every name without a page of its own. */
  title: 'Send to a name',
  lead: 'To anyone by the name they already go by. They get it by showing that the name is theirs.',
  /** The owner has switched it on and may have written something. */
  ownTitle: (person: string): string => `Send something to ${person}`,
  shownBecause: (person: string): string => `${person} has shown that this name is theirs, and put this page here.`,
  platform: 'Which service are they on?',
  name: 'Their name there',
  amount: 'Amount in dollars',
  otherAmount: 'Other',
  note: 'Message, if you like',
  next: 'Go on',
  nextNote: 'Nothing is sent yet: you see the price first, and agree to it. It comes from money that you keep here.',
  badge: 'Send me something',

  /** In the owner’s own purse. */
  section: 'Your page',
  sectionNote: (days: number): string =>
    `Anyone can open it and send you something. It shows your name and the words below. After ${days} days it ends, unless you switch it on again.`,
  words: 'A few words, if you like',
  wordsHint: (charactersMax: number): string => `At most ${charactersMax} characters, and no links.`,
  switchOn: 'Switch it on',
  save: 'Save it',
  switchOff: 'Switch it off',
  open: 'Open your page',
  until: 'It is there until {time}.',
  embed: 'For a profile or a README:',
  copy: 'Copy',
  hasLink: 'There is a link or an address in it. Please write it without.',
  tooLong: (charactersMax: number): string => `That is longer than ${charactersMax} characters. Please shorten it.`,
  barred: 'Those who run this service have taken your page away.',
};

export type TipPageTexts = typeof tipPageEn;
