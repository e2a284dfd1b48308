/* An engine for `cmd:`, in C: row and column of the first empty square, counted from 0. */
#include <stdio.h>

int main(void) {
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        int row = 0, column = 0;
        for (char *at = line; *at && *at != '.'; at++) {
            column = *at == '/' ? 0 : column + 1;
            row += *at == '/';
        }
        printf("%d %d\n", row, column);
        fflush(stdout);
    }
    return 0;
}
