"""Small engines, each written as somebody writes one: no two ask for the same board or answer alike."""
