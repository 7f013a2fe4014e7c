-- Hand-written; copied by scripts/db-generate.ts.
-- They never hold a row: a transaction locks those of its subjects before its snapshot is taken (db/store/locks.ts).
DO $$ BEGIN
  FOR number IN 0..63 LOOP EXECUTE format('CREATE TABLE lock_%s ()', number); END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION pennypost_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER entries_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
FOR EACH STATEMENT EXECUTE FUNCTION pennypost_refuse('entries are immutable');
--> statement-breakpoint
CREATE TRIGGER postings_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON postings
FOR EACH STATEMENT EXECUTE FUNCTION pennypost_refuse('postings are immutable');
--> statement-breakpoint
CREATE TRIGGER seals_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
FOR EACH STATEMENT EXECUTE FUNCTION pennypost_refuse('seals are immutable');
--> statement-breakpoint
CREATE TRIGGER operator_actions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_actions
FOR EACH STATEMENT EXECUTE FUNCTION pennypost_refuse('operator actions are immutable');
--> statement-breakpoint
CREATE FUNCTION pennypost_keep_answer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM erased_answers WHERE payment_id = NEW.id) THEN RETURN NEW; END IF;
  RAISE EXCEPTION 'a stored answer never changes' USING ERRCODE = 'integrity_constraint_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER payments_answer_once BEFORE UPDATE ON payments FOR EACH ROW
WHEN (OLD.answer IS NOT NULL AND NEW.answer::text IS DISTINCT FROM OLD.answer::text)
EXECUTE FUNCTION pennypost_keep_answer();
--> statement-breakpoint
CREATE TRIGGER observed_transfers_consumed_once BEFORE UPDATE ON observed_transfers FOR EACH ROW
WHEN (OLD.consumed_by IS NOT NULL AND NEW.consumed_by IS DISTINCT FROM OLD.consumed_by)
EXECUTE FUNCTION pennypost_refuse('a transfer is explained once');
--> statement-breakpoint
CREATE FUNCTION pennypost_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'payments' THEN
    INSERT INTO audit_feed (kind, key) VALUES ('payment', NEW.id);
  ELSIF TG_TABLE_NAME = 'transfers' THEN
    INSERT INTO audit_feed (kind, key) VALUES ('transfer', NEW.id);
  ELSIF TG_TABLE_NAME = 'tasks' THEN
    INSERT INTO audit_feed (kind, key) VALUES ('task', NEW.id);
  ELSIF TG_TABLE_NAME = 'lines' THEN
    INSERT INTO audit_feed (kind, key) VALUES ('payment', OLD.payment_id);
    IF TG_OP = 'UPDATE' THEN INSERT INTO audit_feed (kind, key) VALUES ('payment', NEW.payment_id); END IF;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO audit_feed (kind, key) VALUES ('consumer', OLD.consumed_by);
  ELSE
    INSERT INTO audit_feed (kind, key) VALUES ('consumer', NEW.consumed_by);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER payments_audited AFTER UPDATE ON payments FOR EACH ROW
WHEN (NEW.status = 'final') EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER transfers_audited AFTER UPDATE ON transfers FOR EACH ROW
WHEN (NEW.status = 'final') EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER lines_audited AFTER UPDATE OF amount_micro_usdc, payment_id ON lines FOR EACH ROW
EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER lines_audited_delete AFTER DELETE ON lines FOR EACH ROW EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER observed_transfers_audited AFTER UPDATE OF landed, consumed_by ON observed_transfers FOR EACH ROW
WHEN (NEW.consumed_by IS NOT NULL) EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER observed_transfers_audited_delete AFTER DELETE ON observed_transfers FOR EACH ROW
WHEN (OLD.consumed_by IS NOT NULL) EXECUTE FUNCTION pennypost_feed();
--> statement-breakpoint
CREATE TRIGGER tasks_audited AFTER UPDATE ON tasks FOR EACH ROW
WHEN (NEW.status = 'paid') EXECUTE FUNCTION pennypost_feed();
