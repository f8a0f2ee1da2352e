/** Events on one page of the raw history. */
export const eventsPerPage = 50;

/** The page of the raw history, from 1, that contains an event. Ids are counted from 1 without gaps. */
function pageOfEvent(eventId: string, eventCount: number): number {
  const position = Math.min(Math.max(1, Number(eventId) || 1), Math.max(1, eventCount));
  return Math.ceil(position / eventsPerPage);
}

/** A link from the overview of a workflow to one of its events; keeps which run is shown. */
export function historyAddress(
  eventId: string,
  eventCount: number,
): { readonly search: string; readonly hash: string } {
  const parameters = new URLSearchParams(window.location.search);
  parameters.set('view', 'history');
  parameters.set('page', String(pageOfEvent(eventId, eventCount)));
  return { search: `?${parameters}`, hash: `#event-${eventId}` };
}
