/**
 * Named points of the payment and payout path at which a test can kill the process: before and after each write, and
 * after each broadcast. A restart must end with exactly one charge and one payout from every one of them.
 */
export const FAILPOINTS = [
  'accept.before-claim',
  'accept.after-claim',
  'settle.before-store',
  'settle.after-store',
  'settle.after-send',
  'scan.before-apply',
  'scan.after-apply',
  'payout.before-assign',
  'payout.after-assign',
  'payout.before-store',
  'payout.after-store',
  'payout.after-send',
  'receipt.before-post',
  'receipt.after-post',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];
