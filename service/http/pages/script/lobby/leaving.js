// Until when the lobby is there: a viewer may take its place.

const present = new AbortController();

export const whilePresent = present.signal;

export function leaveLobby() {
  present.abort();
}
