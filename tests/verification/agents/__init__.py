"""Small engines in different styles: no two take the same form of board and answer in the same form."""
