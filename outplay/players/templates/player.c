/* A player of any game of Outplay:   cc -O2 -o mine FILE && outplay match tic-tac-toe program:./mine random --games 20 --time 1
   The lines that come in are explained in docs/bring-your-own.md; one line, an action, goes out for each `go`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char position[1 << 20], legal[1 << 20];

static const char *choose(void) /* the first action of those after `legal`, which tabs separate */
{
    static char action[1 << 12];
    size_t length = strcspn(legal, "\t");
    if (length >= sizeof action) length = sizeof action - 1;
    memcpy(action, legal, length);
    action[length] = 0;
    return action;
}

int main(void)
{
    static char line[1 << 20];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!strncmp(line, "outplay ", 8)) puts("ready");
        else if (!strncmp(line, "position ", 9)) snprintf(position, sizeof position, "%s", line + 9);
        else if (!strncmp(line, "legal\t", 6)) snprintf(legal, sizeof legal, "%s", line + 6);
        else if (!strcmp(line, "go")) puts(choose());
        fflush(stdout);
    }
    return 0;
}
