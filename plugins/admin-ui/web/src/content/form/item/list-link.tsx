import { useMetadata } from '../../content-layout';
import { LinkButton } from '../../../ui/page/link-button';
import { useLastList } from '../../last-list';

/** Leads back to the list of the type whose page is open, as it was left. */
export function ListLink() {
  return (
    <LinkButton {...useLastList(useMetadata().code)} variant="default">
      Back to the list
    </LinkButton>
  );
}
