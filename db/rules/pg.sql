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
CREATE TRIGGER payments_answer_once BEFORE UPDATE ON payments FOR EACH ROW
WHEN (OLD.answer IS NOT NULL AND NEW.answer::text IS DISTINCT FROM OLD.answer::text)
EXECUTE FUNCTION pennypost_refuse('a stored answer never changes');
--> statement-breakpoint
CREATE TRIGGER observed_transfers_consumed_once BEFORE UPDATE ON observed_transfers FOR EACH ROW
WHEN (OLD.consumed_by IS NOT NULL AND NEW.consumed_by IS DISTINCT FROM OLD.consumed_by)
EXECUTE FUNCTION pennypost_refuse('a transfer is explained once');
