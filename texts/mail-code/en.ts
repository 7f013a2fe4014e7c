/** The mail with a code, in the language of the page that it was asked for on. Its reader may have asked for nothing. */
export const mailCodeEn = {
  collect: {
    subject: 'Your code for pennypost',
    lead: (to: string): string =>
      `Somebody asks to collect the money that is sent to ${to}. If you want it, open this page in any browser. You choose there where the money goes:`,
    button: 'Collect the money',
    typeCode: 'Or type this code into the page where you asked:',
    confirms: 'With this code you confirm where the money goes:',
    otherwise: (minutes: number): string =>
      `If that is not where you want it, do not use the code. It works for ${minutes} minutes, in the window where you asked for it.`,
    ignore:
      'Nobody will ever ask you for this code, neither by phone nor in a chat. If you do not want the money, ignore this mail: nothing happens without the link or the code.',
  },
  signIn: {
    subject: 'Your code to sign in',
    lead: (to: string): string =>
      `Somebody asks to sign in to the money that is kept for ${to}. If that is you, open this page in any browser:`,
    button: 'Sign in',
    typeCode: 'Or type this code into the page where you asked. It shows what is kept, and moves nothing:',
    worksFor: (minutes: number): string =>
      `The code works for ${minutes} minutes, in the window where you asked for it. Nobody will ever ask you for it, neither by phone nor in a chat.`,
    ignore: 'If it is not you, ignore this mail: nothing happens without the link or the code.',
  },
  linkWorksFor: (minutes: number): string =>
    `The link works for ${minutes} minutes, whoever asked for this mail. Do not pass it on.`,
  goesBack: 'back to whoever sent it, because you do not want it',
  staysHere: 'stays here for you',
  onNetwork: (address: string, place: string): string => `${address} (on ${place})`,
  operatedBy: (baseUrl: string, operator: string): string => `pennypost at ${baseUrl} is operated by ${operator}.`,
  help: (url: string): string => `Help: ${url}`,
};

export type MailCodeTexts = typeof mailCodeEn;
