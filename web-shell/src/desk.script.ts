import { followLists } from './client/live-lists.ts';

/** Runs in every document of the staff area, after the script of every document. */
export default function staffDocument(): void {
  followLists();
}
