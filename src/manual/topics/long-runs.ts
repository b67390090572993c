/** Help topic: long conversions of tables. Pure. */
import { type Block, file, heading, session, table, terms, text } from '../page.ts'

export function longRunsTopic(): Block[] {
  return [...interruption(), ...progress(), ...provenance()]
}

function interruption(): Block[] {
  return [
    heading('Interruption'),
    ...text(
      'While a table is converted into a file (`-o big.lgx.csv.gz`), the file has a hidden name (`.big.lgx.csv.gz.part`); it gets its own when it is complete. Every 50,000 rows (`--checkpoint`), and not more than once a second unless that was given, `big.lgx.csv.gz.hla-state.json` says where to go on. What stays when a run ends early:',
    ),
    table(
      ['end', 'what is kept', 'exit status'],
      [
        [
          'Ctrl-C, SIGTERM, SIGHUP',
          'all rows up to the block in hand; the message has the command that goes on',
          '130, 143, 129',
        ],
        ['the same a second time', 'the rows of the last checkpoint', '130, 143, 129'],
        ['SIGKILL, a crash, a power cut', 'the rows of the last checkpoint', '137 or none'],
        [
          'a full disk, a service that fails, a read error',
          'the rows of the last checkpoint; the message has the command',
          '4, 5',
        ],
        [
          'what would only come again',
          'nothing: an input that is cut short, --on-error fail; of --max-errors the report',
          '1, 4',
        ],
      ],
    ),
    ...text(
      'The same command with `--resume` goes on. Output, report of failures and summary are those of a run that was never interrupted, byte for byte; `--jobs`, `--progress` and `--quiet` may be others. It refuses with exit status 6, and says what, when the input, the version of hla, the data or an option that decides what is written is no longer the same.',
      'With nothing to resume it begins anew and says so: a script may always give it. A run without it drops what was kept. What is read from standard input or a pipe, or written to one, cannot be resumed.',
    ),
    heading('In a file store'),
    ...text(
      'Input, output or both may be files of a store (`drive:/registry/donors.csv`). The input is that revision which was there at the beginning: when it has another one, the run is not resumed (exit status 6). The output is uploaded while it is made, and a copy of it with the state lies in `~/.local/state/hla/conversions` (below `XDG_STATE_HOME` if that is set) until all of it is there. `--resume` asks the store how much it has and sends the rest; a store that has forgotten the upload, after a week, is sent all of the copy. Output, report and provenance get one revision each, wherever the run was killed.',
      'What is kept is readable for you alone: it holds the address of the upload, with which anybody could go on with it, but no token. `--checkpoint 0` keeps nothing here: then nothing can be resumed, and an end leaves nothing.',
    ),
    heading('Parts'),
    ...text(
      'Several machines may convert parts of one table. How a table is read is decided by its first rows; `--plan-from` names those of the whole table, so that every part is read as one run would read it. Each part needs the header.',
    ),
    file('whole.csv', 'id,A_1,A_2\nD1,0201,2402\nD2,01:01,0301\n'),
    file('part.csv', 'id,A_1,A_2\nD2,01:01,0301\n'),
    session({
      command: 'hla redux -q -r starter -i part.csv --plan-from whole.csv',
      output: 'id,A_1,A_1_lgx,A_2,A_2_lgx\nD2,01:01,A*01:01,0301,A*03:01',
    }),
  ]
}

function progress(): Block[] {
  return [
    heading('Progress'),
    ...text(
      'On a terminal, after a second, one line says how many rows are converted, how fast, the share of the input and the time left; it is gone at the end. `--progress never` leaves it out, `always` shows it without a terminal too (a line a second there). With `CI` or `--quiet` there is none unless it is asked for.',
      '`--progress jsonl` writes one object of JSON a second to standard error, and one at the end:',
    ),
    terms([
      ['type', '`progress`.'],
      ['rows, typings, failed', 'So far; of a resumed run, those of the earlier ones included.'],
      ['bytes, total_bytes', 'Of the input as it is stored: read so far, and all (null for standard input).'],
      ['share', 'Of the input that was read, 0 to 1, or null.'],
      ['rows_per_second, elapsed_seconds', 'Of this run.'],
      ['left_seconds', 'At that speed, or null.'],
      ['done', 'true in the last one.'],
    ]),
  ]
}

function provenance(): Block[] {
  return [
    heading('Provenance'),
    ...text(
      '`--provenance` writes `OUTPUT.hla.json`: what was asked, with all defaults, of which data, from which bytes to which. No cell of the table is in it. `hla provenance verify` says later whether all of that still holds:',
    ),
    file('donors.csv', 'id,A_1,A_2\nD1,A*01:01:01:01,02:01\n'),
    session(
      {
        command: 'hla redux -q -r starter -i donors.csv -o donors.lgx.csv --provenance; cat donors.lgx.csv',
        output: 'id,A_1,A_1_lgx,A_2,A_2_lgx\nD1,A*01:01:01:01,A*01:01,02:01,A*02:01',
      },
      {
        command: 'hla provenance verify donors.lgx.csv.hla.json --rerun | cut -f 1,2',
        output: 'input\tok\noutput\tok\nrecord\tok\ndata\tok\nhla\tok\noptions\tok\nrerun\tok',
      },
      {
        command: "echo 'D2,,' >> donors.csv; hla provenance verify donors.lgx.csv.hla.json | sed -n 1p",
        output:
          'input\tdiffers\tdonors.csv: sha256:7ffb583f53b1 of 39 bytes, was sha256:46df36e31bb3 of 34 bytes',
        exit: 1,
      },
    ),
    terms([
      [
        'input, output',
        'The files have the sha256 they had; they are looked for by their names, then beside the provenance file.',
      ],
      ['data', 'The release is installed and has the data id it had, whichever release is active.'],
      ['hla', 'This is the version that wrote it.'],
      [
        'options',
        'The command line means the same, with the defaults of this version and the variables of this environment.',
      ],
      ['rerun', 'With --rerun: the command line, run again with that release, gives the same bytes.'],
    ]),
    ...text(
      '`differs` says what was and what is, `unknown` that it cannot be looked at (standard input). The exit status is 1 when something differs.',
      'To be sure of the data before anything is converted, give `--expect-data` what `hla version` prints, or a part of it: the label, or at least six digits of the sha256. Other data are refused with exit status 6. It works for all operations, and with `--remote`.',
    ),
  ]
}
