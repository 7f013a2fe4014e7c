/** Words around every page, and those that its script says. */
export const pageFrameEn = {
  skip: 'Skip to the content',
  playMoney: 'Play money: nothing here is real',
  testMoney: 'Test money: it has no value',
  operatedBy: 'This service is operated by',
  getHelp: 'Something wrong? Get help',
  askThem: 'Something wrong? Ask them for help.',
  askYourself: 'Something wrong? This is a local installation: help is where you started it, in its terminal.',
  print: 'Print',
  language: 'Language',
  script: {
    copied: 'Copied',
    notCopied: 'Not copied',
    copyFailed: 'Copying did not work: select the text and copy it yourself',
    following: 'This page follows the payment by itself.',
    interrupted: 'Not connected right now; trying again by itself.',
  },
};

export type PageFrame = typeof pageFrameEn;
