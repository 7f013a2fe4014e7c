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
AND NOT EXISTS (SELECT 1 FROM `erased_answers` WHERE `payment_id` = NEW.`id`)
BEGIN SELECT RAISE(ABORT, 'a stored answer never changes'); END;
--> statement-breakpoint
CREATE TRIGGER `observed_transfers_consumed_once` BEFORE UPDATE OF `consumed_by` ON `observed_transfers`
WHEN OLD.`consumed_by` IS NOT NULL AND NEW.`consumed_by` IS NOT OLD.`consumed_by`
BEGIN SELECT RAISE(ABORT, 'a transfer is explained once'); END;
--> statement-breakpoint
CREATE TRIGGER `payments_audited` AFTER UPDATE ON `payments` WHEN NEW.`status` = 'final'
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('payment', NEW.`id`); END;
--> statement-breakpoint
CREATE TRIGGER `transfers_audited` AFTER UPDATE ON `transfers` WHEN NEW.`status` = 'final'
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('transfer', NEW.`id`); END;
--> statement-breakpoint
CREATE TRIGGER `lines_audited` AFTER UPDATE OF `amount_micro_usdc`, `payment_id` ON `lines`
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('payment', OLD.`payment_id`), ('payment', NEW.`payment_id`); END;
--> statement-breakpoint
CREATE TRIGGER `lines_audited_delete` AFTER DELETE ON `lines`
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('payment', OLD.`payment_id`); END;
--> statement-breakpoint
CREATE TRIGGER `observed_transfers_audited` AFTER UPDATE OF `landed`, `consumed_by` ON `observed_transfers`
WHEN NEW.`consumed_by` IS NOT NULL
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('consumer', NEW.`consumed_by`); END;
--> statement-breakpoint
CREATE TRIGGER `observed_transfers_audited_delete` AFTER DELETE ON `observed_transfers`
WHEN OLD.`consumed_by` IS NOT NULL
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('consumer', OLD.`consumed_by`); END;
--> statement-breakpoint
CREATE TRIGGER `tasks_audited` AFTER UPDATE ON `tasks` WHEN NEW.`status` = 'paid'
BEGIN INSERT INTO `audit_feed` (`kind`, `key`) VALUES ('task', NEW.`id`); END;
