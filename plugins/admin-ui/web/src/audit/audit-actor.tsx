import { actorText } from '../ui/text/change-text';
import { initialsOf } from '../ui/text/initials';

interface AuditActorProps {
  readonly actor?: string;
  readonly actorName?: string;
}

/** Who did it, with initials. */
export function AuditActor(entry: AuditActorProps) {
  const name = actorText(entry);
  return (
    <span className="audit-actor">
      <span className="avatar" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <bdi>{name}</bdi>
    </span>
  );
}
