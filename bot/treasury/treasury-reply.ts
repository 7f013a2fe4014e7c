import type { View } from '../../core/view.ts';

/** `shown` is called once the view stands there, with the message's id: some things count only from then on. */
export type TreasuryReply = { view: View; shown?: (messageId: string) => Promise<void> };
