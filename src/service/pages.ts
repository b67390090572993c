/** The page of this service and the description of its interface. */
import type { PageFiles } from '../web/pages.ts'

export const PAGES: PageFiles = {
  '/': ['index.html', 'text/html'],
  '/docs': ['docs.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
  '/docs.js': ['docs.js', 'text/javascript'],
}
