/** A statement that passes over triggers, and so takes less time for many rows; not for users who may not do that. */
export function withoutTriggers(statement: string): string {
  return `DO $$ BEGIN
    IF current_setting('is_superuser') = 'on' THEN
      PERFORM set_config('session_replication_role', 'replica', true);
    END IF;
    ${statement};
  END $$`;
}
