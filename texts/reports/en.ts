import type { ReportReason } from '../../core/reports/reports.ts';

const reasons: Record<ReportReason, string> = {
  trick: 'It looks like a trick to get my money or my data',
  pretends: 'The sender pretends to be somebody else',
  insults: 'It insults or threatens',
  not_meant: 'It was not meant for me',
  other: 'Something else',
};

/** The page on which a payment or a person’s page is reported, and what moderators read of it. */
export const reportsEn = {
  /** The link on the page that is reported. */
  link: 'Report it',
  title: 'Report this payment',
  /** What is reported is a page that a person has made. */
  pageTitle: 'Report this page',
  goesTo: (operator: string): string =>
    `Your report goes to those who run this service (${operator}). The sender is not told.`,
  pageGoesTo: (operator: string): string =>
    `Your report goes to those who run this service (${operator}). The owner of the page is not told.`,
  /** For a payment from a group of a chat. */
  moderators: 'Moderators of the group that it was sent from may see the reason, but not your words.',
  movesNothing: 'A report moves no money: what waits can still be collected, declined, or left to go back.',
  why: 'What is wrong?',
  reasons,
  words: 'What should they know? (optional)',
  wordsHint: (charactersMax: number): string =>
    `At most ${charactersMax} characters. Write no passwords and no codes: nobody here needs them.`,
  send: 'Send the report',
  back: 'Back',
  chooseOne: 'Please choose what is wrong.',
  tooLong: (charactersMax: number): string => `That is longer than ${charactersMax} characters. Please shorten it.`,
  callerFull: 'You have sent several reports within an hour. Please try again later.',
  dayFull: 'No more reports can be stored today. Please try again tomorrow.',
  orWrite: (help: string): string => `Or write to those who run this service: ${help}.`,
  help: 'Get help',
  doneTitle: 'Thank you',
  done: (operator: string): string => `It is reported to those who run this service (${operator}).`,
  doneNext: 'There is nothing more for you to do. No one here will ever ask you for money, a password or secret words.',

  /** In the log channel of a community, or to those who decide there. */
  reported: 'Reported:',
  readIt: 'The operator of the service has the report, too. The sender is not told.',
};

export type ReportTexts = typeof reportsEn;
