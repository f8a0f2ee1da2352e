import { useLocalStorage } from '@mantine/hooks';

/** Who sits at this browser, as the history of a workflow shall name them. Remembered until there is a sign-in. */
export function useOperator(): [string, (name: string) => void] {
  const [operator, setOperator] = useLocalStorage({
    key: 'gantry.operator',
    defaultValue: '',
    getInitialValueInEffect: false,
  });
  return [operator, setOperator];
}
