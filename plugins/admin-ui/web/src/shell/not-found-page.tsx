import { LinkButton } from '../ui/page/link-button';
import { PageHeader } from '../ui/page/page';
import { EmptyState } from '../ui/states';

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <EmptyState title="Not found" action={<LinkButton to="/">Go to the home page</LinkButton>}>
        Check the address, or go to the home page.
      </EmptyState>
    </>
  );
}
