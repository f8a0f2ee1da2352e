import { useQuery } from '@tanstack/react-query';
import { mayReader } from '../../api/platform/initial-data';
import { initialsOf } from '../../ui/text/initials';
import { Surface } from '../../ui/surface';
import { usersQuery } from '../account-api';

/** Who has a role, for those who manage users. */
export function RolePeople({ role }: { readonly role: string }) {
  const { data: users } = useQuery({ ...usersQuery, enabled: mayReader('users.manage') });
  const people = users?.filter(({ roles }) => roles.includes(role));
  if (people === undefined) return null;
  return (
    <Surface title="Users" aside={<span className="page-total">{people.length}</span>}>
      {people.length === 0 ? (
        <span className="row-note">Nobody has this role.</span>
      ) : (
        <ul className="role-people">
          {people.slice(0, maxPeople).map(({ id, displayName, login }) => (
            <li key={id} title={login}>
              <span className="avatar" aria-hidden="true">
                {initialsOf(displayName)}
              </span>
              <span className="clipped">{displayName}</span>
            </li>
          ))}
          {people.length > maxPeople ? <li className="row-note">and {people.length - maxPeople} more</li> : null}
        </ul>
      )}
    </Surface>
  );
}

const maxPeople = 8;
