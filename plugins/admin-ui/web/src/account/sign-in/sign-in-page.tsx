import { ProviderRefusal, ProviderSignIn } from './provider-sign-in';
import { SignInForm } from './sign-in-form';
import { SingleCard } from '../single-card';

/** The first page of a platform that requires sign-in; afterwards, the address that was asked for is opened. */
export function SignInPage() {
  return (
    <SingleCard title="Sign in">
      <ProviderRefusal />
      <SignInForm onSignedIn={() => location.reload()} />
      <ProviderSignIn />
    </SingleCard>
  );
}
