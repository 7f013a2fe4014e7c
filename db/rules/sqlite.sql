-- Hand-written; copied by scripts/db-generate.ts. RAISE(ABORT) only: RAISE(ROLLBACK) would end the whole group commit.
CREATE TRIGGER `entries_no_update` BEFORE UPDATE ON `entries` BEGIN SELECT RAISE(ABORT, 'entries are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `entries_no_delete` BEFORE DELETE ON `entries` BEGIN SELECT RAISE(ABORT, 'entries are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `postings_no_update` BEFORE UPDATE ON `postings` BEGIN SELECT RAISE(ABORT, 'postings are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `postings_no_delete` BEFORE DELETE ON `postings` BEGIN SELECT RAISE(ABORT, 'postings are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `seals_no_update` BEFORE UPDATE ON `seals` BEGIN SELECT RAISE(ABORT, 'seals are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `seals_no_delete` BEFORE DELETE ON `seals` BEGIN SELECT RAISE(ABORT, 'seals are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `operator_actions_no_update` BEFORE UPDATE ON `operator_actions` BEGIN SELECT RAISE(ABORT, 'operator actions are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `operator_actions_no_delete` BEFORE DELETE ON `operator_actions` BEGIN SELECT RAISE(ABORT, 'operator actions are immutable'); END;
--> statement-breakpoint
CREATE TRIGGER `payments_answer_once` BEFORE UPDATE OF `answer` ON `payments`
WHEN OLD.`answer` IS NOT NULL AND NEW.`answer` IS NOT OLD.`answer`
BEGIN SELECT RAISE(ABORT, 'a stored answer never changes'); END;
--> statement-breakpoint
CREATE TRIGGER `observed_transfers_consumed_once` BEFORE UPDATE OF `consumed_by` ON `observed_transfers`
WHEN OLD.`consumed_by` IS NOT NULL AND NEW.`consumed_by` IS NOT OLD.`consumed_by`
BEGIN SELECT RAISE(ABORT, 'a transfer is explained once'); END;
